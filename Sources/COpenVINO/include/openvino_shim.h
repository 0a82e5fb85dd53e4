// The part of OpenVINO's C interface (2026.x, `openvino/c/openvino.h`) that Kinema uses, resolved at
// run time: the project builds without OpenVINO, and a machine without it gets a sentence, not a
// failure of the loader.
#pragma once

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

typedef struct ov_core ov_core;
typedef struct ov_compiled_model ov_compiled_model;
typedef struct ov_infer_request ov_infer_request;
typedef struct ov_tensor ov_tensor;

/// `ov_status_e`: 0 is success.
typedef int32_t ov_status;

/// `ov_version_t`.
typedef struct {
  const char *_Nullable build_number;
  const char *_Nullable description;
} ov_version;

/// `ov_available_devices_t`.
typedef struct {
  char *_Nullable *_Nullable devices;
  size_t size;
} ov_available_devices;

/// `ov_property_t`: a setting of a device as text.
typedef struct {
  const char *key;
  const void *value;
} ov_property;

/// The functions of the library, each under its name there without the prefix `ov_`.
typedef struct {
  ov_status (*get_openvino_version)(ov_version *version);
  void (*version_free)(ov_version *version);
  const char *_Nullable (*_Nonnull get_last_err_msg)(void);

  ov_status (*core_create)(ov_core *_Nullable *_Nonnull core);
  void (*core_free)(ov_core *core);
  ov_status (*core_compile_model_from_file_props)(
      const ov_core *core, const char *path, const char *device, size_t property_count,
      const ov_property *properties, ov_compiled_model *_Nullable *_Nonnull model);

  ov_status (*core_get_available_devices)(const ov_core *core, ov_available_devices *devices);
  void (*available_devices_free)(ov_available_devices *devices);
  ov_status (*core_get_property)(
      const ov_core *core, const char *device, const char *key, char *_Nullable *_Nonnull value);
  void (*free)(const char *content);

  ov_status (*compiled_model_outputs_size)(const ov_compiled_model *model, size_t *count);
  ov_status (*compiled_model_create_infer_request)(
      const ov_compiled_model *model, ov_infer_request *_Nullable *_Nonnull request);
  void (*compiled_model_free)(ov_compiled_model *model);

  ov_status (*infer_request_get_input_tensor_by_index)(
      const ov_infer_request *request, size_t index, ov_tensor *_Nullable *_Nonnull tensor);
  ov_status (*infer_request_get_output_tensor_by_index)(
      const ov_infer_request *request, size_t index, ov_tensor *_Nullable *_Nonnull tensor);
  ov_status (*infer_request_infer)(ov_infer_request *request);
  void (*infer_request_free)(ov_infer_request *request);

  ov_status (*tensor_get_byte_size)(const ov_tensor *tensor, size_t *byte_count);
  ov_status (*tensor_data)(const ov_tensor *tensor, void *_Nullable *_Nonnull data);
  void (*tensor_free)(ov_tensor *tensor);
} openvino_functions;

/// Loads `libopenvino_c` and finds its functions.
///
/// Returns null, and writes what the dynamic loader said into `message`, if the library or one of
/// the functions is missing. The library stays loaded for the life of the process.
const openvino_functions *_Nullable openvino_load(const char *path, char *message,
                                                  size_t message_capacity);

#pragma clang assume_nonnull end
