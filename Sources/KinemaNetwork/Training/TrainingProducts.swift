internal import CDNNL
internal import CTrainingKernels
internal import Glibc

/// The matrix products of training: thick ones by ``MatrixProduct`` or in bfloat16, thin ones and
/// those of overlapping rows by a kernel that needs no packing.
///
/// Which way a product takes depends on its sizes alone, so that the same step always gives the
/// same bits.
final class TrainingProducts {
  private let precision: NetworkTrainingOptions.Precision
  private let scratch: [ScratchMemory]

  init(precision: NetworkTrainingOptions.Precision, workers: Int) {
    self.precision = precision
    scratch = (0..<workers).map { _ in ScratchMemory() }
  }

  /// Below this many columns, or this deep, a product is thin.
  private static let thickness = 48

  /// C = A·B, or C += A·B; A of [rows, depth], B of [depth, columns].
  func multiply(
    rows: Int, columns: Int, depth: Int, _ left: Factor, _ right: Factor,
    into result: UnsafeMutablePointer<Float>, stride: Int, accumulates: Bool = false, worker: Int
  ) {
    // The library takes no rows that overlap; a copy in bfloat16 has none.
    let overlaps =
      left.stride < (left.isTransposed ? rows : depth) && precision == .float32
    guard rows >= 16, min(columns, depth) >= Self.thickness, !overlaps else {
      var right = right
      if right.isTransposed {
        let copy = scratch[worker].memory(depth * columns + 64, of: Float.self)
        for row in 0..<depth {
          for column in 0..<columns {
            copy[row * columns + column] = right.pointer[column * right.stride + row]
          }
        }
        right = Factor(copy, stride: columns)
      }
      Self.multiplyThin(
        rows: rows, columns: columns, depth: depth, left, right, into: result, stride: stride,
        accumulates: accumulates)
      return
    }
    if precision == .bfloat16, let product = Self.bfloat16Product {
      let first = left.isTransposed ? (depth, rows) : (rows, depth)
      let second = right.isTransposed ? (columns, depth) : (depth, columns)
      let copies = scratch[worker].memory(
        first.0 * first.1 + second.0 * second.1 + 64, of: UInt16.self)
      let other = copies + first.0 * first.1
      training_to_bfloat16(left.pointer, Int64(left.stride), Int64(first.0), Int64(first.1), copies)
      training_to_bfloat16(
        right.pointer, Int64(right.stride), Int64(second.0), Int64(second.1), other)
      let status = product(
        left.flag, right.flag, dnnl_dim_t(rows), dnnl_dim_t(columns),
        dnnl_dim_t(depth), 1, copies, dnnl_dim_t(first.1), other, dnnl_dim_t(second.1),
        accumulates ? 1 : 0, result, dnnl_dim_t(stride))
      precondition(status == dnnl_success.rawValue, "a matrix product has wrong sizes")
      return
    }
    MatrixProduct.multiply(
      rows: rows, columns: columns, depth: depth, left, right, into: result, stride: stride,
      accumulates: accumulates)
  }

  /// The same without packing; B is not transposed, and 31 more elements of its memory can be read.
  static func multiplyThin(
    rows: Int, columns: Int, depth: Int, _ left: Factor, _ right: Factor,
    into result: UnsafeMutablePointer<Float>, stride: Int, accumulates: Bool = false
  ) {
    training_product(
      Int64(rows), Int64(columns), Int64(depth), left.pointer,
      left.isTransposed ? 1 : Int64(left.stride), left.isTransposed ? Int64(left.stride) : 1,
      right.pointer, Int64(right.stride), result, Int64(stride), accumulates)
  }

  // MARK: - bfloat16

  /// Whether products of bfloat16 numbers are available.
  static let hasBFloat16 = training_has_bfloat16() && bfloat16Product != nil

  private typealias BFloat16Product =
    @convention(c) (
      CChar, CChar, dnnl_dim_t, dnnl_dim_t, dnnl_dim_t, Float, UnsafePointer<UInt16>, dnnl_dim_t,
      UnsafePointer<UInt16>, dnnl_dim_t, Float, UnsafeMutablePointer<Float>, dnnl_dim_t
    ) -> UInt32

  /// The library's product of bfloat16 matrices, which it exports but does not declare.
  private static let bfloat16Product: BFloat16Product? = {
    guard let symbol = dlsym(nil, "dnnl_gemm_bf16bf16f32") else { return nil }
    return unsafeBitCast(symbol, to: BFloat16Product.self)
  }()
}
