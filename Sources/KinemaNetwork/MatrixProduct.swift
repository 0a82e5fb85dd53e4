internal import CDNNL
internal import Glibc

/// One product of row-major matrices: C = A·B or C = C + A·B, A of [m, k], B of [k, n].
///
/// The engine is oneDNN's `dnnl_sgemm`, held to one thread: its OpenMP threads spin while they
/// wait, which ruins everybody's speed on a machine that has other work.
struct MatrixProduct {
  let rows: Int
  let columns: Int
  let depth: Int
  /// The distance between A's rows.
  let leftStride: Int
  /// The distance between B's rows.
  let rightStride: Int
  /// The distance between C's rows.
  let resultStride: Int
  /// Whether B is stored transposed, as [n, k].
  var rightIsTransposed = false
  /// Whether the product is added to what C holds.
  var accumulates = false

  /// The number of multiply-adds.
  var work: Double { Double(rows) * Double(columns) * Double(depth) }

  func run(
    _ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>,
    into result: UnsafeMutablePointer<Float>
  ) {
    let plain = CChar(UInt8(ascii: "N"))
    let transposed = CChar(UInt8(ascii: "T"))
    let status = dnnl_sgemm(
      plain, rightIsTransposed ? transposed : plain, dnnl_dim_t(rows), dnnl_dim_t(columns),
      dnnl_dim_t(depth), 1, left, dnnl_dim_t(leftStride), right, dnnl_dim_t(rightStride),
      accumulates ? 1 : 0, result, dnnl_dim_t(resultStride))
    precondition(status == dnnl_success, "a matrix product was asked for with wrong sizes")
  }

  /// Holds the products that the calling thread asks for to that one thread.
  static func useOneThread() {
    setThreadCount?(1)
  }

  /// `omp_set_num_threads` of the OpenMP runtime that oneDNN brings along.
  private static let setThreadCount: (@convention(c) (CInt) -> Void)? = {
    // The null handle means: among everything that is loaded.
    guard let symbol = dlsym(nil, "omp_set_num_threads") else { return nil }
    return unsafeBitCast(symbol, to: (@convention(c) (CInt) -> Void).self)
  }()
}
