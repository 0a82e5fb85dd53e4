// The kernels, compiled once for each kind of processor: the file that includes this defines
// NAME(function), the vectors of a column panel PANEL and the rows of a tile TILE.

typedef float NAME(vector) __attribute__((ext_vector_type(16), aligned(4)));
typedef float NAME(half) __attribute__((ext_vector_type(8), aligned(4)));
#define VECTOR NAME(vector)
#define HALF NAME(half)

#define LOAD(p) (*(const VECTOR *)(p))
#define STORE(p, v) (*(VECTOR *)(p) = (v))

// A tile of a product: `m` rows and `panel` vectors of columns, held in registers.
static inline __attribute__((always_inline)) void NAME(tile)(
    const int m, const int panel, int64_t depth, const float *a, int64_t a_row, int64_t a_depth,
    const float *b, int64_t b_row, float *c, int64_t c_row, int64_t columns, bool accumulates) {
  VECTOR sums[TILE][PANEL];
#pragma clang loop unroll(full)
  for (int i = 0; i < m; i++)
#pragma clang loop unroll(full)
    for (int j = 0; j < panel; j++) sums[i][j] = (VECTOR)0.0f;
  for (int64_t k = 0; k < depth; k++) {
    VECTOR right[PANEL];
#pragma clang loop unroll(full)
    for (int j = 0; j < panel; j++) right[j] = LOAD(b + 16 * j);
#pragma clang loop unroll(full)
    for (int i = 0; i < m; i++) {
      const VECTOR left = (VECTOR)a[i * a_row];
#pragma clang loop unroll(full)
      for (int j = 0; j < panel; j++) sums[i][j] += left * right[j];
    }
    a += a_depth;
    b += b_row;
  }
  if (columns >= 16 * panel) {
#pragma clang loop unroll(full)
    for (int i = 0; i < m; i++)
#pragma clang loop unroll(full)
      for (int j = 0; j < panel; j++) {
        float *place = c + i * c_row + 16 * j;
        STORE(place, accumulates ? LOAD(place) + sums[i][j] : sums[i][j]);
      }
    return;
  }
#pragma clang loop unroll(full)
  for (int i = 0; i < m; i++) {
    float values[16 * PANEL];
#pragma clang loop unroll(full)
    for (int j = 0; j < panel; j++) STORE(values + 16 * j, sums[i][j]);
    float *row = c + i * c_row;
    for (int64_t j = 0; j < columns; j++) row[j] = accumulates ? row[j] + values[j] : values[j];
  }
}

#define TILE_CASE(rows)                                                                        \
  case rows:                                                                                   \
    NAME(tile)                                                                                 \
    (rows <= TILE ? rows : 1, panel, depth, a, a_row, a_depth, b, b_row, c, c_row, columns,    \
     accumulates);                                                                             \
    break;

static inline __attribute__((always_inline)) void NAME(tile_of)(
    int64_t m, const int panel, int64_t depth, const float *a, int64_t a_row, int64_t a_depth,
    const float *b, int64_t b_row, float *c, int64_t c_row, int64_t columns, bool accumulates) {
  switch (m) {
    TILE_CASE(1)
    TILE_CASE(2)
    TILE_CASE(3)
#if TILE > 3
    TILE_CASE(4)
    TILE_CASE(5)
    TILE_CASE(6)
    TILE_CASE(7)
    TILE_CASE(8)
    TILE_CASE(9)
    TILE_CASE(10)
    TILE_CASE(11)
    TILE_CASE(12)
    TILE_CASE(13)
    TILE_CASE(14)
#endif
  }
}

static void NAME(wide_tile)(
    int64_t m, int64_t depth, const float *a, int64_t a_row, int64_t a_depth, const float *b,
    int64_t b_row, float *c, int64_t c_row, int64_t columns, bool accumulates) {
  NAME(tile_of)(m, PANEL, depth, a, a_row, a_depth, b, b_row, c, c_row, columns, accumulates);
}

#if PANEL > 1
static void NAME(narrow_tile)(
    int64_t m, int64_t depth, const float *a, int64_t a_row, int64_t a_depth, const float *b,
    int64_t b_row, float *c, int64_t c_row, int64_t columns, bool accumulates) {
  NAME(tile_of)(m, 1, depth, a, a_row, a_depth, b, b_row, c, c_row, columns, accumulates);
}
#endif

static void NAME(product)(
    int64_t rows, int64_t columns, int64_t depth, const float *a, int64_t a_row, int64_t a_depth,
    const float *b, int64_t b_row, float *c, int64_t c_row, bool accumulates) {
  // The depth in blocks of one size whose panel of B stays in the first cache.
  const int64_t depth_blocks = depth > 0 ? (depth + 319) / 320 : 1;
  const int64_t depth_block = (depth + depth_blocks - 1) / depth_blocks;
  // The rows in tiles of about one size, so that no thin one is left over.
  const int64_t row_blocks = (rows + TILE - 1) / TILE;
  for (int64_t k = 0; k == 0 || k < depth; k += depth_block) {
    const int64_t length = depth - k < depth_block ? depth - k : depth_block;
    const bool adds = accumulates || k > 0;
    for (int64_t n = 0; n < columns; n += 16 * PANEL) {
      const int64_t width = columns - n < 16 * PANEL ? columns - n : 16 * PANEL;
      for (int64_t block = 0; block < row_blocks; block++) {
        const int64_t m = rows * block / row_blocks;
        const int64_t height = rows * (block + 1) / row_blocks - m;
        const float *left = a + m * a_row + k * a_depth;
        const float *right = b + k * b_row + n;
        float *result = c + m * c_row + n;
#if PANEL > 1
        if (width <= 16) {
          NAME(narrow_tile)
          (height, length, left, a_row, a_depth, right, b_row, result, c_row, width, adds);
          continue;
        }
#endif
        NAME(wide_tile)
        (height, length, left, a_row, a_depth, right, b_row, result, c_row, width, adds);
      }
    }
  }
}

// Runs BODY for each group of channels, with `c` the first and T the type that holds the group.
#define EACH_CHANNEL(BODY)                                                                     \
  do {                                                                                         \
    int64_t c = 0;                                                                             \
    for (; c + 16 <= channels; c += 16) {                                                      \
      BODY(VECTOR)                                                                             \
    }                                                                                          \
    for (; c + 8 <= channels; c += 8) {                                                        \
      BODY(HALF)                                                                               \
    }                                                                                          \
    for (; c < channels; c++) {                                                                \
      BODY(float)                                                                              \
    }                                                                                          \
  } while (0)

#define AT(T, p) (*(T *)(p))
#define OF(T, p) (*(const T *)(p))

#define ADD_LANES(T, target, value)                                                            \
  {                                                                                            \
    float lanes[sizeof(T) / sizeof(float)];                                                    \
    AT(T, lanes) = value;                                                                      \
    for (uint64_t lane = 0; lane < sizeof(T) / sizeof(float); lane++)                          \
      (target)[lane] += lanes[lane];                                                           \
  }

static void NAME(statistics)(
    const float *x, int64_t x_rows, const float *bias, int64_t joints, int64_t sequences,
    int64_t frames, int64_t channels, double *sums) {
  const float share = 1.0f / (float)frames;
  for (int64_t s = 0; s < sequences; s++) {
    const float *sequence = x + s * x_rows * channels;
    const float *terms = bias ? bias + s % joints * channels : 0;
#define BODY(T)                                                                                \
  T sum = (T)0.0f;                                                                             \
  for (int64_t t = 0; t < frames; t++) sum += OF(T, sequence + t * channels + c);              \
  const T mean = sum * share;                                                                  \
  T squares = (T)0.0f;                                                                         \
  for (int64_t t = 0; t < frames; t++) {                                                       \
    const T difference = OF(T, sequence + t * channels + c) - mean;                            \
    squares += difference * difference;                                                        \
  }                                                                                            \
  float means[sizeof(T) / sizeof(float)], rest[sizeof(T) / sizeof(float)];                     \
  AT(T, means) = mean;                                                                         \
  AT(T, rest) = squares;                                                                       \
  for (uint64_t lane = 0; lane < sizeof(T) / sizeof(float); lane++) {                          \
    const double value = (double)means[lane] + (terms ? (double)terms[c + (int64_t)lane] : 0); \
    sums[c + (int64_t)lane] += value * (double)frames;                                         \
    sums[channels + c + (int64_t)lane] += (double)rest[lane] + value * value * (double)frames; \
  }
    EACH_CHANNEL(BODY);
#undef BODY
  }
}

static void NAME(clear_rows)(float *y, int64_t rows, int64_t frames, int64_t channels) {
  if (rows > frames)
    __builtin_memset(
        y + frames * channels, 0, (uint64_t)((rows - frames) * channels) * sizeof(float));
}

// NaN stays NaN, so that a run that has diverged shows it.
#define POSITIVE(T, value) ((value) < (T)0.0f ? (T)0.0f : (value))

static void NAME(normalize)(
    const float *x, int64_t x_rows, const float *scale, const float *shift, int64_t joints,
    const float *r, int64_t r_rows, const float *r_scale, float *y, int64_t y_rows,
    int64_t sequences, int64_t frames, int64_t channels) {
  for (int64_t s = 0; s < sequences; s++) {
    const float *in = x + s * x_rows * channels;
    const float *other = r ? r + s * r_rows * channels : 0;
    float *out = y + s * y_rows * channels;
    const float *terms = shift + s % joints * channels;
#define BODY(T)                                                                                \
  const T factor = OF(T, scale + c);                                                           \
  const T term = OF(T, terms + c);                                                             \
  if (!other) {                                                                                \
    for (int64_t t = 0; t < frames; t++) {                                                     \
      const T value = OF(T, in + t * channels + c) * factor + term;                            \
      AT(T, out + t * channels + c) = POSITIVE(T, value);                                      \
    }                                                                                          \
  } else {                                                                                     \
    const T other_factor = r_scale ? OF(T, r_scale + c) : (T)1.0f;                             \
    for (int64_t t = 0; t < frames; t++) {                                                     \
      const T value = OF(T, in + t * channels + c) * factor + term +                           \
                      OF(T, other + t * channels + c) * other_factor;                          \
      AT(T, out + t * channels + c) = POSITIVE(T, value);                                      \
    }                                                                                          \
  }
    EACH_CHANNEL(BODY);
#undef BODY
    NAME(clear_rows)(out, y_rows, frames, channels);
  }
}

static void NAME(rectified_sums)(
    float *dy, int64_t dy_rows, const float *y, int64_t y_rows, const float *x, int64_t x_rows,
    const float *center, int64_t joints, const float *r, int64_t r_rows, const float *r_center,
    int64_t sequences, int64_t frames, int64_t channels, double *sums) {
  for (int64_t s = 0; s < sequences; s++) {
    float *gradient = dy + s * dy_rows * channels;
    const float *out = y ? y + s * y_rows * channels : 0;
    const float *in = x + s * x_rows * channels;
    const float *other = r ? r + s * r_rows * channels : 0;
    const float *middle = center + s % joints * channels;
#define BODY(T)                                                                                \
  const T zero = OF(T, middle + c);                                                            \
  const T other_zero = other ? OF(T, r_center + c) : (T)0.0f;                                  \
  T sum = (T)0.0f, product = (T)0.0f, other_product = (T)0.0f;                                 \
  for (int64_t t = 0; t < frames; t++) {                                                       \
    const int64_t at = t * channels + c;                                                       \
    T value = OF(T, gradient + at);                                                            \
    if (out) {                                                                                 \
      value = OF(T, out + at) > (T)0.0f ? value : (T)0.0f;                                     \
      AT(T, gradient + at) = value;                                                            \
    }                                                                                          \
    sum += value;                                                                              \
    product += value * (OF(T, in + at) - zero);                                                \
    if (other) other_product += value * (OF(T, other + at) - other_zero);                      \
  }                                                                                            \
  ADD_LANES(T, sums + c, sum)                                                                  \
  ADD_LANES(T, sums + channels + c, product)                                                   \
  if (other) ADD_LANES(T, sums + 2 * channels + c, other_product)
    EACH_CHANNEL(BODY);
#undef BODY
  }
}

static void NAME(combine)(
    const float *g, int64_t g_rows, const float *g_scale, const float *x, int64_t x_rows,
    const float *x_scale, const float *shift, int64_t joints, float *out, int64_t out_rows,
    int64_t sequences, int64_t frames, int64_t channels, double *joint_sums) {
  for (int64_t s = 0; s < sequences; s++) {
    const float *gradient = g + s * g_rows * channels;
    const float *in = x + s * x_rows * channels;
    float *result = out + s * out_rows * channels;
    const float *terms = shift + s % joints * channels;
    double *totals = joint_sums ? joint_sums + s % joints * channels : 0;
#define BODY(T)                                                                                \
  const T g_factor = OF(T, g_scale + c);                                                       \
  const T x_factor = OF(T, x_scale + c);                                                       \
  const T term = OF(T, terms + c);                                                             \
  T sum = (T)0.0f;                                                                             \
  for (int64_t t = 0; t < frames; t++) {                                                       \
    const int64_t at = t * channels + c;                                                       \
    const T value = OF(T, gradient + at) * g_factor + (OF(T, in + at) * x_factor + term);      \
    AT(T, result + at) = value;                                                                \
    sum += value;                                                                              \
  }                                                                                            \
  if (totals) ADD_LANES(T, totals + c, sum)
    EACH_CHANNEL(BODY);
#undef BODY
    NAME(clear_rows)(result, out_rows, frames, channels);
  }
}

static void NAME(mix)(
    const float *x, int64_t x_row, const int64_t *offsets, const float *weights,
    const int32_t *starts, int64_t outputs, float *y, int64_t y_sequence, int64_t y_row,
    int64_t y_parts, int64_t frames, int64_t channels, bool accumulates) {
  for (int64_t j = 0; j < outputs; j++) {
    float *out = y + j / y_parts * y_sequence + j % y_parts * channels;
    const int32_t first = starts[j], last = starts[j + 1];
    if (first == last) continue;
    for (int64_t t = 0; t < frames; t++) {
      const float *in = x + t * x_row;
      float *row = out + t * y_row;
#define BODY(T)                                                                                \
  T sum = accumulates ? OF(T, row + c) : (T)0.0f;                                              \
  for (int32_t e = first; e < last; e++) sum += OF(T, in + offsets[e] + c) * weights[e];       \
  AT(T, row + c) = sum;
      EACH_CHANNEL(BODY);
#undef BODY
    }
  }
}

static void NAME(add)(
    const float *x, int64_t x_rows, float *y, int64_t y_rows, int64_t sequences, int64_t frames,
    int64_t channels) {
  for (int64_t s = 0; s < sequences; s++) {
    const float *in = x + s * x_rows * channels;
    float *out = y + s * y_rows * channels;
    for (int64_t index = 0; index < frames * channels; index++) out[index] += in[index];
  }
}

static void NAME(mean)(
    const float *x, int64_t x_rows, int64_t sequences, int64_t frames, int64_t channels,
    float *means) {
  const float share = 1.0f / (float)(sequences * frames);
#define BODY(T)                                                                                \
  T sum = (T)0.0f;                                                                             \
  for (int64_t s = 0; s < sequences; s++)                                                      \
    for (int64_t t = 0; t < frames; t++) sum += OF(T, x + (s * x_rows + t) * channels + c);    \
  AT(T, means + c) = sum * share;
  EACH_CHANNEL(BODY);
#undef BODY
}

static double NAME(center)(
    const float *x, int64_t frames, int64_t channels, const float *scale, float *y) {
  double total = 0;
#define BODY(T)                                                                                \
  T sum = (T)0.0f;                                                                             \
  for (int64_t t = 0; t < frames; t++) sum += OF(T, x + t * channels + c);                     \
  const T mean = sum * (1.0f / (float)frames);                                                 \
  T squares = (T)0.0f;                                                                         \
  for (int64_t t = 0; t < frames; t++) {                                                       \
    const T value = (OF(T, x + t * channels + c) - mean) * OF(T, scale + c);                   \
    AT(T, y + t * channels + c) = value;                                                       \
    squares += value * value;                                                                  \
  }                                                                                            \
  float lanes[sizeof(T) / sizeof(float)];                                                      \
  AT(T, lanes) = squares;                                                                      \
  for (uint64_t lane = 0; lane < sizeof(T) / sizeof(float); lane++) total += lanes[lane];
  EACH_CHANNEL(BODY);
#undef BODY
  return total;
}

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
