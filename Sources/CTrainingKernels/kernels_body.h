// The kernels, compiled once for each kind of processor: the file that includes this defines
// NAME(function), the vectors of a column panel PANEL and the rows of a tile TILE.

typedef float NAME(vector) __attribute__((ext_vector_type(16), aligned(4)));
typedef float NAME(half) __attribute__((ext_vector_type(8), aligned(4)));
#define VECTOR NAME(vector)
#define HALF NAME(half)

#define LOAD(p) (*(const VECTOR *)(p))
#define STORE(p, v) (*(VECTOR *)(p) = (v))

#include "kernels_product.h"
#include "kernels_channels.h"

static void NAME(sum_parts)(
    float *target, const float *parts, int64_t stride, int64_t part_count, int64_t count) {
  int64_t index = 0;
  for (; index + 16 <= count; index += 16) {
    VECTOR sum = LOAD(parts + index);
    for (int64_t part = 1; part < part_count; part++) sum += LOAD(parts + part * stride + index);
    STORE(target + index, sum);
  }
  for (; index < count; index++) {
    float sum = parts[index];
    for (int64_t part = 1; part < part_count; part++) sum += parts[part * stride + index];
    target[index] = sum;
  }
}

static void NAME(adamw)(
    float *weights, const float *gradients, float *first, float *second, int64_t count,
    const training_adamw_settings *settings) {
  const training_adamw_settings s = *settings;
  const float shrink = 1.0f - s.learning_rate * s.weight_decay;
  for (int64_t index = 0; index < count; index++) {
    const float gradient = gradients[index];
    const float m = s.beta1 * first[index] + (1.0f - s.beta1) * gradient;
    const float v = s.beta2 * second[index] + (1.0f - s.beta2) * gradient * gradient;
    first[index] = m;
    second[index] = v;
    weights[index] = weights[index] * shrink - s.learning_rate * (m * s.correction1) /
                                                   (__builtin_sqrtf(v * s.correction2) + s.epsilon);
  }
}

static void NAME(transpose)(const float *x, int64_t rows, int64_t columns, float *y) {
  for (int64_t row = 0; row < rows; row += 16)
    for (int64_t column = 0; column < columns; column += 16)
      for (int64_t c = column; c < columns && c < column + 16; c++)
        for (int64_t r = row; r < rows && r < row + 16; r++) y[c * rows + r] = x[r * columns + c];
}

static void NAME(to_bfloat16)(
    const float *x, int64_t x_row, int64_t rows, int64_t columns, uint16_t *y) {
  for (int64_t row = 0; row < rows; row++) {
    const uint32_t *in = (const uint32_t *)(x + row * x_row);
    uint16_t *out = y + row * columns;
    for (int64_t column = 0; column < columns; column++) {
      const uint32_t bits = in[column];
      const uint32_t rounded = (bits + 0x7fff + ((bits >> 16) & 1)) >> 16;
      // NaN stays NaN.
      out[column] = (uint16_t)((bits & 0x7fffffff) > 0x7f800000 ? (bits >> 16) | 0x40 : rounded);
    }
  }
}

#undef VECTOR
#undef HALF
#undef LOAD
#undef STORE
#undef TILE_CASE
#undef EACH_CHANNEL
#undef AT
#undef OF
#undef ADD_LANES
#undef POSITIVE
