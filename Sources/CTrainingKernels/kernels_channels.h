// Sums and changes along frames, channel by channel; part of kernels_body.h.

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
    const float *x, int64_t x_rows, const float *bias, int64_t points, int64_t sequences,
    int64_t frames, int64_t channels, double *sums) {
  const float share = 1.0f / (float)frames;
  for (int64_t s = 0; s < sequences; s++) {
    const float *sequence = x + s * x_rows * channels;
    const float *terms = bias ? bias + s % points * channels : 0;
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
    const float *x, int64_t x_rows, const float *scale, const float *shift, int64_t points,
    const float *r, int64_t r_rows, const float *r_scale, float *y, int64_t y_rows,
    int64_t sequences, int64_t frames, int64_t channels) {
  for (int64_t s = 0; s < sequences; s++) {
    const float *in = x + s * x_rows * channels;
    const float *other = r ? r + s * r_rows * channels : 0;
    float *out = y + s * y_rows * channels;
    const float *terms = shift + s % points * channels;
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
    const float *center, int64_t points, const float *r, int64_t r_rows, const float *r_center,
    int64_t sequences, int64_t frames, int64_t channels, double *sums) {
  for (int64_t s = 0; s < sequences; s++) {
    float *gradient = dy + s * dy_rows * channels;
    const float *out = y ? y + s * y_rows * channels : 0;
    const float *in = x + s * x_rows * channels;
    const float *other = r ? r + s * r_rows * channels : 0;
    const float *middle = center + s % points * channels;
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
    const float *x_scale, const float *shift, int64_t points, float *out, int64_t out_rows,
    int64_t sequences, int64_t frames, int64_t channels, double *point_sums) {
  for (int64_t s = 0; s < sequences; s++) {
    const float *gradient = g + s * g_rows * channels;
    const float *in = x + s * x_rows * channels;
    float *result = out + s * out_rows * channels;
    const float *terms = shift + s % points * channels;
    double *totals = point_sums ? point_sums + s % points * channels : 0;
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
    int64_t y_parts, int64_t frames, int64_t channels) {
  for (int64_t j = 0; j < outputs; j++) {
    float *out = y + j / y_parts * y_sequence + j % y_parts * channels;
    const int32_t first = starts[j], last = starts[j + 1];
    if (first == last) continue;
    for (int64_t t = 0; t < frames; t++) {
      const float *in = x + t * x_row;
      float *row = out + t * y_row;
#define BODY(T)                                                                                \
  T sum = (T)0.0f;                                                                             \
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
