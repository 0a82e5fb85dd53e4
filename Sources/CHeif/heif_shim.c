#include "heif_shim.h"

#include <dlfcn.h>
#include <stdlib.h>

const heif_functions *heif_load(const char *path, const char *decoder) {
  // The loader then knows libde265 by the name in the file.
  if (decoder) dlopen(decoder, RTLD_NOW | RTLD_LOCAL);
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library) return NULL;
  heif_functions *functions = calloc(1, sizeof *functions);
  if (!functions) {
    dlclose(library);
    return NULL;
  }
#define RESOLVE(name)                                                          \
  do {                                                                         \
    void *symbol = dlsym(library, "heif_" #name);                              \
    if (!symbol) {                                                             \
      free(functions);                                                         \
      dlclose(library);                                                        \
      return NULL;                                                             \
    }                                                                          \
    *(void **)&functions->name = symbol;                                       \
  } while (0)
  RESOLVE(get_version);
  RESOLVE(context_alloc);
  RESOLVE(context_free);
  RESOLVE(context_set_maximum_image_size_limit);
  RESOLVE(context_set_max_decoding_threads);
  RESOLVE(context_read_from_file);
  RESOLVE(context_get_primary_image_handle);
  RESOLVE(image_handle_get_width);
  RESOLVE(image_handle_get_height);
  RESOLVE(image_handle_release);
  RESOLVE(decode_image);
  RESOLVE(image_get_width);
  RESOLVE(image_get_height);
  RESOLVE(image_get_plane_readonly);
  RESOLVE(image_release);
#undef RESOLVE
  return functions;
}
