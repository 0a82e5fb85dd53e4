#include "sampling.h"

#include <string.h>

// In C because these few lines are a fifth of a frame's cost beyond the networks, and Swift's vectors
// are slow where the compiler does not optimise.

typedef uint8_t bytes8 __attribute__((vector_size(8)));
typedef uint16_t shorts8 __attribute__((vector_size(16)));
typedef int32_t ints4 __attribute__((vector_size(16)));
typedef float floats4 __attribute__((vector_size(16)));

#if defined(__x86_64__)
#define KINEMA_FAST __attribute__((target("sse4.1")))
#else
#define KINEMA_FAST
#endif

/// Two neighbours of a row as 16-bit numbers: red, red, green, green, blue, blue, unused, unused.
KINEMA_FAST static inline __attribute__((always_inline)) shorts8 neighbours(const uint8_t *pixel) {
  bytes8 pair;
  memcpy(&pair, pixel, sizeof pair);
  return __builtin_convertvector(
      __builtin_shufflevector(pair, pair, 0, 4, 1, 5, 2, 6, 3, 7), shorts8);
}

/// Weighs four pixels; `right` and `down` are shares in 1/32.
KINEMA_FAST static inline __attribute__((always_inline)) ints4 weighed(
    shorts8 upper, shorts8 lower, uint16_t right, uint16_t down) {
  shorts8 rows = upper * (uint16_t)(32 - down) + lower * down;
  ints4 first = __builtin_convertvector(
      __builtin_shufflevector(rows, rows, 0, 2, 4, 6), ints4);
  ints4 second = __builtin_convertvector(
      __builtin_shufflevector(rows, rows, 1, 3, 5, 7), ints4);
  return (first * (32 - (int32_t)right) + second * (int32_t)right + 512) >> 10;
}

static int64_t limited(int64_t place, int64_t length) {
  int64_t last = (length - 1) << 5;
  return place < 0 ? 0 : place > last ? last : place;
}

/// A pixel of the picture, or black.
static void copy_pixel(const kinema_sampling *s, int64_t column, int64_t row, uint8_t *target) {
  if (column >= 0 && column < s->width && row >= 0 && row < s->height) {
    memcpy(target, s->pixels + 4 * (row * s->width + column), 4);
  } else {
    memset(target, 0, 4);
  }
}

/// A sample at a place, in 1/32 pixel, that is not surrounded by pixels.
KINEMA_FAST static ints4 sample_at_edge(const kinema_sampling *s, int64_t x, int64_t y) {
  if (!s->outside_is_black) {
    x = limited(x, s->width);
    y = limited(y, s->height);
  }
  int64_t column = x >> 5, row = y >> 5;
  if (column < -1 || column >= s->width || row < -1 || row >= s->height) return (ints4){0};
  uint8_t upper[8], lower[8];
  copy_pixel(s, column, row, upper);
  copy_pixel(s, column + 1, row, upper + 4);
  copy_pixel(s, column, row + 1, lower);
  copy_pixel(s, column + 1, row + 1, lower + 4);
  return weighed(neighbours(upper), neighbours(lower), (uint16_t)(x & 31), (uint16_t)(y & 31));
}

KINEMA_FAST void kinema_sample(const kinema_sampling *s, float *output) {
  const uint64_t last_column = (uint64_t)(s->width - 1), last_row = (uint64_t)(s->height - 1);
  const int64_t stride = 4 * s->width;
  const floats4 black = {s->black, s->black, s->black, s->black};
  for (int64_t row = 0; row < s->side; row++) {
    const int64_t start_x = s->row_x[row] + 16, start_y = s->row_y[row] + 16;
    // The picture was written by another core a moment ago: ask for what comes two rows later.
    if (row + 2 < s->side) {
      const int64_t ahead_x = s->row_x[row + 2], ahead_y = s->row_y[row + 2];
      for (int64_t column = 0; column < s->side; column += 4) {
        const int64_t left = (ahead_x + s->column_x[column]) >> 10;
        const int64_t top = (ahead_y + s->column_y[column]) >> 10;
        if ((uint64_t)left < last_column && (uint64_t)top < last_row) {
          __builtin_prefetch(s->pixels + top * stride + 4 * left);
          __builtin_prefetch(s->pixels + (top + 1) * stride + 4 * left);
        }
      }
    }
    for (int64_t column = 0; column < s->side; column++) {
      const int64_t x = (start_x + s->column_x[column]) >> 5;
      const int64_t y = (start_y + s->column_y[column]) >> 5;
      const int64_t left = x >> 5, top = y >> 5;
      ints4 sample;
      if ((uint64_t)left < last_column && (uint64_t)top < last_row) {
        const uint8_t *pixel = s->pixels + top * stride + 4 * left;
        sample = weighed(
            neighbours(pixel), neighbours(pixel + stride), (uint16_t)(x & 31), (uint16_t)(y & 31));
      } else {
        sample = sample_at_edge(s, x, y);
      }
      floats4 numbers = __builtin_convertvector(sample, floats4) * s->step + black;
      memcpy(output, &numbers, 3 * sizeof(float));
      output += 3;
    }
  }
}
