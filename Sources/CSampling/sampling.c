#include "sampling.h"

#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

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

/// A sample anywhere.
KINEMA_FAST static inline __attribute__((always_inline)) void write_sample(
    const kinema_sampling *s, int64_t x, int64_t y, float *output) {
  const int64_t left = x >> 5, top = y >> 5;
  ints4 sample;
  if ((uint64_t)left < (uint64_t)(s->width - 1) && (uint64_t)top < (uint64_t)(s->height - 1)) {
    const uint8_t *pixel = s->pixels + 4 * (top * s->width + left);
    sample = weighed(
        neighbours(pixel), neighbours(pixel + 4 * s->width), (uint16_t)(x & 31),
        (uint16_t)(y & 31));
  } else {
    sample = sample_at_edge(s, x, y);
  }
  const floats4 black = {s->black, s->black, s->black, s->black};
  floats4 numbers = __builtin_convertvector(sample, floats4) * s->step + black;
  memcpy(output, &numbers, 3 * sizeof(float));
}

/// Asks for the pixels of a row: the picture was written by another core a moment ago.
static void prefetch_row(const kinema_sampling *s, int64_t row) {
  const int64_t stride = 4 * s->width;
  for (int64_t column = 0; column < s->side; column += 4) {
    const int64_t left = (s->row_x[row] + s->column_x[column]) >> 10;
    const int64_t top = (s->row_y[row] + s->column_y[column]) >> 10;
    if ((uint64_t)left < (uint64_t)(s->width - 1) && (uint64_t)top < (uint64_t)(s->height - 1)) {
      __builtin_prefetch(s->pixels + top * stride + 4 * left);
      __builtin_prefetch(s->pixels + (top + 1) * stride + 4 * left);
    }
  }
}

#if defined(__x86_64__)

/// Eight samples of a row, all surrounded by pixels, with the same numbers as `write_sample`.
///
/// The last sample's store writes a fourth number behind it, which the next sample replaces.
__attribute__((target("avx2"))) static inline __attribute__((always_inline)) void write_eight(
    const kinema_sampling *s, __m256i x, __m256i y, float *output) {
  const __m256i fraction = _mm256_set1_epi32(31), whole = _mm256_set1_epi32(32);
  const __m256i right = _mm256_and_si256(x, fraction), down = _mm256_and_si256(y, fraction);
  const __m256i place = _mm256_add_epi32(
      _mm256_mullo_epi32(_mm256_srai_epi32(y, 5), _mm256_set1_epi32((int32_t)(4 * s->width))),
      _mm256_slli_epi32(_mm256_srai_epi32(x, 5), 2));
  // The weights of the upper and the lower row as bytes, of the left and the right pixel as words.
  const __m256i rows = _mm256_mullo_epi32(
      _mm256_or_si256(_mm256_sub_epi32(whole, down), _mm256_slli_epi32(down, 8)),
      _mm256_set1_epi32(0x10001));
  const __m256i columns =
      _mm256_or_si256(_mm256_sub_epi32(whole, right), _mm256_slli_epi32(right, 16));
  int32_t places[8], row_weights[8], column_weights[8];
  _mm256_storeu_si256((__m256i *)places, place);
  _mm256_storeu_si256((__m256i *)row_weights, rows);
  _mm256_storeu_si256((__m256i *)column_weights, columns);
  // Upper and lower row side by side, left and right pixel side by side: red, green, blue, unused.
  const __m128i order = _mm_setr_epi8(0, 8, 4, 12, 1, 9, 5, 13, 2, 10, 6, 14, 3, 11, 7, 15);
  const __m128 step = _mm_set1_ps(s->step), black = _mm_set1_ps(s->black);
  const __m128i half = _mm_set1_epi32(512);
  const int64_t stride = 4 * s->width;
  for (int index = 0; index < 8; index++) {
    const uint8_t *pixel = s->pixels + places[index];
    __m128i upper = _mm_loadl_epi64((const __m128i *)pixel);
    __m128i lower = _mm_loadl_epi64((const __m128i *)(pixel + stride));
    __m128i four = _mm_shuffle_epi8(_mm_unpacklo_epi64(upper, lower), order);
    __m128i mixed = _mm_maddubs_epi16(four, _mm_set1_epi32(row_weights[index]));
    __m128i sum = _mm_madd_epi16(mixed, _mm_set1_epi32(column_weights[index]));
    __m128i sample = _mm_srai_epi32(_mm_add_epi32(sum, half), 10);
    _mm_storeu_ps(
        output + 3 * index, _mm_add_ps(_mm_mul_ps(_mm_cvtepi32_ps(sample), step), black));
  }
}

enum { WIDEST = 256 };

__attribute__((target("avx2"))) static void sample_in_eights(
    const kinema_sampling *s, float *output) {
  const uint64_t last_column = (uint64_t)(s->width - 1), last_row = (uint64_t)(s->height - 1);
  int32_t column_x[WIDEST], column_y[WIDEST];
  for (int64_t column = 0; column < s->side; column++) {
    // Sums of these with a row's start are right modulo 2^32, and small where they are used.
    column_x[column] = (int32_t)s->column_x[column];
    column_y[column] = (int32_t)s->column_y[column];
  }
  for (int64_t row = 0; row < s->side; row++) {
    if (row + 2 < s->side) prefetch_row(s, row + 2);
    const int64_t start_x = s->row_x[row] + 16, start_y = s->row_y[row] + 16;
    const __m256i starts_x = _mm256_set1_epi32((int32_t)start_x);
    const __m256i starts_y = _mm256_set1_epi32((int32_t)start_y);
    for (int64_t column = 0; column < s->side; column += 8) {
      float *target = output + 3 * (row * s->side + column);
      // The row is straight: what lies between two places among pixels does so as well.
      const int64_t first_x = start_x + s->column_x[column];
      const int64_t first_y = start_y + s->column_y[column];
      const int64_t final_x = start_x + s->column_x[column + 7];
      const int64_t final_y = start_y + s->column_y[column + 7];
      const int is_last = row + 1 == s->side && column + 8 == s->side;
      if (!is_last && (uint64_t)(first_x >> 10) < last_column
          && (uint64_t)(first_y >> 10) < last_row && (uint64_t)(final_x >> 10) < last_column
          && (uint64_t)(final_y >> 10) < last_row) {
        const __m256i x = _mm256_add_epi32(
            starts_x, _mm256_loadu_si256((const __m256i *)(column_x + column)));
        const __m256i y = _mm256_add_epi32(
            starts_y, _mm256_loadu_si256((const __m256i *)(column_y + column)));
        write_eight(s, _mm256_srai_epi32(x, 5), _mm256_srai_epi32(y, 5), target);
      } else {
        for (int64_t index = 0; index < 8; index++) {
          write_sample(
              s, (start_x + s->column_x[column + index]) >> 5,
              (start_y + s->column_y[column + index]) >> 5, target + 3 * index);
        }
      }
    }
  }
}

#endif

KINEMA_FAST void kinema_sample(const kinema_sampling *s, float *output) {
#if defined(__x86_64__)
  // Places in the picture must fit into 32 bits.
  if (s->side % 8 == 0 && s->side <= WIDEST && s->width < 1 << 20 && s->height < 1 << 20
      && s->width * s->height < 1 << 28 && __builtin_cpu_supports("avx2")) {
    sample_in_eights(s, output);
    return;
  }
#endif
  for (int64_t row = 0; row < s->side; row++) {
    if (row + 2 < s->side) prefetch_row(s, row + 2);
    for (int64_t column = 0; column < s->side; column++) {
      write_sample(
          s, (s->row_x[row] + 16 + s->column_x[column]) >> 5,
          (s->row_y[row] + 16 + s->column_y[column]) >> 5, output + 3 * (row * s->side + column));
    }
  }
}
