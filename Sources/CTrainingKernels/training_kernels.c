#include "training_kernels.h"

// Products and sums may be joined into one rounding where the processor can.
#pragma clang fp contract(fast)

#define NAME(function) any_##function
#define PANEL 1
#define TILE 3
#include "kernels_body.h"
#undef NAME
#undef PANEL
#undef TILE

#if defined(__x86_64__)
#define PANEL 2
#define NAME(function) avx2_##function
#define TILE 3
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#include "kernels_body.h"
#pragma clang attribute pop
#undef NAME
#undef TILE

#define NAME(function) avx512_##function
#define TILE 14
#pragma clang attribute push( \
    __attribute__((target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl"))), apply_to = function)
#include "kernels_body.h"
#pragma clang attribute pop
#undef NAME
#undef TILE

// The kind of processor: 2 with AVX-512, 1 with AVX2, 0 for any.
static int level(void) {
  static _Atomic int known = -1;
  int value = known;
  if (value < 0) {
    __builtin_cpu_init();
    value = 0;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) value = 1;
    if (value == 1 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
      value = 2;
    known = value;
  }
  return value;
}

#define DISPATCH(function, ...)                                    \
  switch (level()) {                                               \
  case 2: return avx512_##function(__VA_ARGS__);                   \
  case 1: return avx2_##function(__VA_ARGS__);                     \
  default: return any_##function(__VA_ARGS__);                     \
  }

bool training_has_bfloat16(void) {
  __builtin_cpu_init();
  return level() == 2 && __builtin_cpu_supports("avx512bf16");
}
#else
#define DISPATCH(function, ...) return any_##function(__VA_ARGS__);

bool training_has_bfloat16(void) { return false; }
#endif

void training_product(
    int64_t rows, int64_t columns, int64_t depth, const float *a, int64_t a_row,
    int64_t a_depth, const float *b, int64_t b_row, float *c, int64_t c_row, bool accumulates) {
  DISPATCH(product, rows, columns, depth, a, a_row, a_depth, b, b_row, c, c_row, accumulates)
}

void training_statistics(
    const float *x, int64_t x_rows, const float *bias, int64_t points, int64_t sequences,
    int64_t frames, int64_t channels, double *sums) {
  DISPATCH(statistics, x, x_rows, bias, points, sequences, frames, channels, sums)
}

void training_normalize(
    const float *x, int64_t x_rows, const float *scale, const float *shift, int64_t points,
    const float *r, int64_t r_rows, const float *r_scale, float *y, int64_t y_rows,
    int64_t sequences, int64_t frames, int64_t channels) {
  DISPATCH(normalize, x, x_rows, scale, shift, points, r, r_rows, r_scale, y, y_rows, sequences,
    frames, channels)
}

void training_rectified_sums(
    float *dy, int64_t dy_rows, const float *y, int64_t y_rows, const float *x, int64_t x_rows,
    const float *center, int64_t points, const float *r, int64_t r_rows, const float *r_center,
    int64_t sequences, int64_t frames, int64_t channels, double *sums) {
  DISPATCH(rectified_sums, dy, dy_rows, y, y_rows, x, x_rows, center, points, r, r_rows,
    r_center, sequences, frames, channels, sums)
}

void training_combine(
    const float *g, int64_t g_rows, const float *g_scale, const float *x, int64_t x_rows,
    const float *x_scale, const float *shift, int64_t points, float *out, int64_t out_rows,
    int64_t sequences, int64_t frames, int64_t channels, double *point_sums) {
  DISPATCH(combine, g, g_rows, g_scale, x, x_rows, x_scale, shift, points, out, out_rows,
    sequences, frames, channels, point_sums)
}

void training_mix(
    const float *x, int64_t x_row, const int64_t *offsets, const float *weights,
    const int32_t *starts, int64_t outputs, float *y, int64_t y_sequence, int64_t y_row,
    int64_t y_parts, int64_t frames, int64_t channels) {
  DISPATCH(mix, x, x_row, offsets, weights, starts, outputs, y, y_sequence, y_row, y_parts,
    frames, channels)
}

void training_add(
    const float *x, int64_t x_rows, float *y, int64_t y_rows, int64_t sequences, int64_t frames,
    int64_t channels) {
  DISPATCH(add, x, x_rows, y, y_rows, sequences, frames, channels)
}

void training_mean(
    const float *x, int64_t x_rows, int64_t sequences, int64_t frames, int64_t channels,
    float *means) {
  DISPATCH(mean, x, x_rows, sequences, frames, channels, means)
}

void training_sum_parts(
    float *target, const float *parts, int64_t stride, int64_t part_count, int64_t count) {
  DISPATCH(sum_parts, target, parts, stride, part_count, count)
}

void training_adamw(
    float *weights, const float *gradients, float *first, float *second, int64_t count,
    const training_adamw_settings *settings) {
  DISPATCH(adamw, weights, gradients, first, second, count, settings)
}

void training_transpose(
    const float *x, int64_t rows, int64_t columns, float *y) {
  DISPATCH(transpose, x, rows, columns, y)
}

void training_to_bfloat16(
    const float *x, int64_t x_row, int64_t rows, int64_t columns, uint16_t *y) {
  DISPATCH(to_bfloat16, x, x_row, rows, columns, y)
}

double training_center(
    const float *x, int64_t frames, int64_t channels, const float *scale, float *y) {
  DISPATCH(center, x, frames, channels, scale, y)
}
