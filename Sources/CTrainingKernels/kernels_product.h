// The matrix product: tiles held in registers, panel by panel; part of kernels_body.h.

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
