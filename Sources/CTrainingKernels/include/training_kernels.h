// The inner loops of training between a library's matrix products, in Float32.
//
// A blob of frames is [sequences][rows][channels], row-major: of each sequence's rows the first
// `frames` hold values and the rest zeros, which a convolution takes as its padding. A sequence is
// one point of one sample, so that sequence s belongs to point s % points.
//
// Each function exists for AVX-512, for AVX2 and for any processor; the best that the processor
// has is taken at run time. None of them is threaded, none allocates.
#pragma once

#include <stdbool.h>
#include <stdint.h>

// C = A·B or C += A·B for small or thin matrices, without packing: element (m, k) of A lies at
// a[m·a_row + k·a_depth], rows of B and C are b_row and c_row apart. Up to 31 elements behind a row
// of B are read (never used), so that B's memory has to extend that far.
void training_product(
    int64_t rows, int64_t columns, int64_t depth, const float *a, int64_t a_row, int64_t a_depth,
    const float *b, int64_t b_row, float *c, int64_t c_row, bool accumulates);

// Adds Σx and Σx² of each channel to sums[0…channels) and sums[channels…2·channels); `bias`
// [points][channels] may be null and is added to x first.
void training_statistics(
    const float *x, int64_t x_rows, const float *bias, int64_t points, int64_t sequences,
    int64_t frames, int64_t channels, double *sums);

// y = max(0, x·scale + shift + r·r_scale), with shift [points][channels]. `r` may be null;
// without `r_scale` it counts once. Rows of y behind the frames become zero.
void training_normalize(
    const float *x, int64_t x_rows, const float *scale, const float *shift, int64_t points,
    const float *r, int64_t r_rows, const float *r_scale, float *y, int64_t y_rows,
    int64_t sequences, int64_t frames, int64_t channels);

// Passes the gradient dy where y > 0, in place (everywhere without y), and adds to sums, channel by
// channel, Σg, Σg·(x − center) and, where r is given, Σg·(r − r_center); center is [points][channels].
void training_rectified_sums(
    float *dy, int64_t dy_rows, const float *y, int64_t y_rows, const float *x, int64_t x_rows,
    const float *center, int64_t points, const float *r, int64_t r_rows, const float *r_center,
    int64_t sequences, int64_t frames, int64_t channels, double *sums);

// out = g·g_scale + x·x_scale + shift, with shift [points][channels]; Σout of each point and
// channel is added to point_sums where that is given. Rows of out behind the frames become zero.
void training_combine(
    const float *g, int64_t g_rows, const float *g_scale, const float *x, int64_t x_rows,
    const float *x_scale, const float *shift, int64_t points, float *out, int64_t out_rows,
    int64_t sequences, int64_t frames, int64_t channels, double *point_sums);

// One sample's sums over points. Output j of `outputs` lies at y[(j / y_parts)·y_sequence +
// t·y_row + (j % y_parts)·channels] and becomes Σ weights[e] · x[offsets[e] + t·x_row]
// over e in starts[j]..<starts[j + 1]; without any it stays as it is.
void training_mix(
    const float *x, int64_t x_row, const int64_t *offsets, const float *weights,
    const int32_t *starts, int64_t outputs, float *y, int64_t y_sequence, int64_t y_row,
    int64_t y_parts, int64_t frames, int64_t channels);

// y += x for blobs of frames.
void training_add(
    const float *x, int64_t x_rows, float *y, int64_t y_rows, int64_t sequences, int64_t frames,
    int64_t channels);

// means[c] = the mean over all frames of all sequences.
void training_mean(
    const float *x, int64_t x_rows, int64_t sequences, int64_t frames, int64_t channels,
    float *means);

// y = (x − the channel's mean over the frames)·scale; gives Σy².
double training_center(
    const float *x, int64_t frames, int64_t channels, const float *scale, float *y);

// target = Σ parts[p·stride…], in order.
void training_sum_parts(
    float *target, const float *parts, int64_t stride, int64_t part_count, int64_t count);

// One step of AdamW (Loshchilov and Hutter, Decoupled Weight Decay Regularization, ICLR 2019).
typedef struct {
  float learning_rate, beta1, beta2, epsilon, weight_decay;
  // 1 / (1 − βᵗ) of the step t, from 1.
  float correction1, correction2;
} training_adamw_settings;
void training_adamw(
    float *weights, const float *gradients, float *first, float *second, int64_t count,
    const training_adamw_settings *settings);

// y[columns][rows] = x[rows][columns] transposed.
void training_transpose(const float *x, int64_t rows, int64_t columns, float *y);

// Rounds to bfloat16, to nearest even; rows of x are x_row apart, those of y columns.
void training_to_bfloat16(
    const float *x, int64_t x_row, int64_t rows, int64_t columns, uint16_t *y);

// Whether the processor multiplies bfloat16 numbers.
bool training_has_bfloat16(void);
