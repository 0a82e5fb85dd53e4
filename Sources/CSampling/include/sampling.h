#pragma once
#include <stdint.h>

/// What is cut out of a picture, and where it goes.
typedef struct {
  /// The picture: rows of four-byte pixels (red, green, blue, unused) without gaps.
  const uint8_t *pixels;
  int64_t width;
  int64_t height;
  /// Whether what lies outside is black; otherwise it is the nearest pixel of the picture.
  int outside_is_black;
  /// The side of the output in samples.
  int64_t side;
  /// Where each row of samples begins, and how far each column lies from the first, across the
  /// picture and down, in 1/1024 pixel.
  const int64_t *row_x, *row_y, *column_x, *column_y;
  /// The number for black, and how much each step of 8-bit brightness adds.
  float black, step;
} kinema_sampling;

/// Writes `side` × `side` samples of red, green and blue: bilinear, places rounded to 1/32 pixel and
/// samples to 8 bits. The picture must have at least two rows and two columns.
void kinema_sample(const kinema_sampling *sampling, float *output);
