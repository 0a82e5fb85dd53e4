#include "openvino_shim.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

static void describe(char *message, size_t capacity) {
  const char *text = dlerror();
  snprintf(message, capacity, "%s", text ? text : "the dynamic loader gave no reason");
}

const openvino_functions *openvino_load(const char *path, char *message, size_t message_capacity) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    describe(message, message_capacity);
    return NULL;
  }
  openvino_functions *functions = calloc(1, sizeof *functions);
  if (!functions) {
    snprintf(message, message_capacity, "out of memory");
    dlclose(library);
    return NULL;
  }
#define RESOLVE(name)                                                          \
  do {                                                                         \
    void *symbol = dlsym(library, "ov_" #name);                                \
    if (!symbol) {                                                             \
      describe(message, message_capacity);                                     \
      free(functions);                                                         \
      dlclose(library);                                                        \
      return NULL;                                                             \
    }                                                                          \
    *(void **)&functions->name = symbol;                                       \
  } while (0)
  RESOLVE(get_openvino_version);
  RESOLVE(version_free);
  RESOLVE(get_last_err_msg);
  RESOLVE(core_create);
  RESOLVE(core_free);
  RESOLVE(core_compile_model_from_file_props);
  RESOLVE(core_get_available_devices);
  RESOLVE(available_devices_free);
  RESOLVE(core_get_property);
  RESOLVE(free);
  RESOLVE(compiled_model_outputs_size);
  RESOLVE(compiled_model_create_infer_request);
  RESOLVE(compiled_model_free);
  RESOLVE(infer_request_get_input_tensor_by_index);
  RESOLVE(infer_request_get_output_tensor_by_index);
  RESOLVE(infer_request_infer);
  RESOLVE(infer_request_free);
  RESOLVE(tensor_get_byte_size);
  RESOLVE(tensor_data);
  RESOLVE(tensor_free);
#undef RESOLVE
  return functions;
}
