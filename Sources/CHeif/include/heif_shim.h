// The part of libheif's C interface (1.13 or later, `libheif/heif.h`) that Kinema uses, resolved at run
// time: the project builds and starts without libheif, and a HEIC picture then gets a sentence.
#pragma once

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

typedef struct heif_context heif_context;
typedef struct heif_image_handle heif_image_handle;
typedef struct heif_image heif_image;

/// `struct heif_error`, which is returned by value: code 0 is success.
typedef struct {
  int32_t code;
  int32_t subcode;
  const char *_Nullable message;
} heif_error;

/// `heif_colorspace_RGB`, `heif_chroma_interleaved_RGBA` (8 bits a colour) and `heif_channel_interleaved`.
enum { kinema_heif_rgb = 1, kinema_heif_rgba = 11, kinema_heif_interleaved = 10 };

/// `heif_error_Memory_allocation_error`: also of a picture above the limit.
enum { kinema_heif_memory_error = 6 };

/// The functions of the library, each under its name there without the prefix `heif_`.
typedef struct {
  const char *_Nullable (*_Nonnull get_version)(void);
  heif_context *_Nullable (*_Nonnull context_alloc)(void);
  void (*context_free)(heif_context *context);
  /// Limits a picture to the square of this side.
  void (*context_set_maximum_image_size_limit)(heif_context *context, int side);
  void (*context_set_max_decoding_threads)(heif_context *context, int count);
  heif_error (*context_read_from_file)(
      heif_context *context, const char *path, const void *_Nullable options);
  heif_error (*context_get_primary_image_handle)(
      heif_context *context, heif_image_handle *_Nullable *_Nonnull handle);
  /// The size of the upright picture.
  int (*image_handle_get_width)(const heif_image_handle *handle);
  int (*image_handle_get_height)(const heif_image_handle *handle);
  void (*image_handle_release)(const heif_image_handle *handle);
  heif_error (*decode_image)(
      const heif_image_handle *handle, heif_image *_Nullable *_Nonnull image, int colorspace,
      int chroma, const void *_Nullable options);
  int (*image_get_width)(const heif_image *image, int channel);
  int (*image_get_height)(const heif_image *image, int channel);
  const uint8_t *_Nullable (*_Nonnull image_get_plane_readonly)(
      const heif_image *image, int channel, int *stride);
  void (*image_release)(const heif_image *image);
} heif_functions;

/// Loads libheif and finds its functions.
///
/// Returns null if it, or one of the functions, is missing. The library stays loaded for the life of the
/// process.
///
/// - path: A file, or a name that the dynamic loader searches.
/// - decoder: The file of libde265, where it is beside the library under another name than it searches.
const heif_functions *_Nullable heif_load(const char *path, const char *_Nullable decoder);

#pragma clang assume_nonnull end
