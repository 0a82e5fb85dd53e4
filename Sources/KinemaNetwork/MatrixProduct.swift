internal import CDNNL
internal import Glibc

/// A factor of a matrix product: row-major, perhaps transposed.
package struct Factor {
  let pointer: UnsafePointer<Float>
  /// The distance between the rows in memory, in elements.
  let stride: Int
  /// Whether the rows in memory are the factor's columns.
  let isTransposed: Bool

  package init(_ pointer: UnsafePointer<Float>, stride: Int, isTransposed: Bool = false) {
    self.pointer = pointer
    self.stride = stride
    self.isTransposed = isTransposed
  }

  /// The factor as BLAS calls it.
  var flag: CChar { CChar(UInt8(ascii: isTransposed ? "T" : "N")) }
}

/// Products of matrices by oneDNN's `dnnl_sgemm`, on the calling thread: the library's OpenMP
/// threads spin while they wait, which slows down everything else on the machine.
package enum MatrixProduct {
  /// C = A·B, or C = C + A·B; A of [rows, depth], B of [depth, columns].
  package static func multiply(
    rows: Int, columns: Int, depth: Int, _ left: Factor, _ right: Factor,
    into result: UnsafeMutablePointer<Float>, stride: Int, accumulates: Bool = false
  ) {
    let status = dnnl_sgemm(
      left.flag, right.flag, dnnl_dim_t(rows), dnnl_dim_t(columns), dnnl_dim_t(depth), 1,
      left.pointer, dnnl_dim_t(left.stride), right.pointer, dnnl_dim_t(right.stride),
      accumulates ? 1 : 0, result, dnnl_dim_t(stride))
    precondition(status == dnnl_success, "a matrix product has wrong sizes")
  }

  /// Limits the library's products on the calling thread to that one thread.
  static func useOneThread() { setThreadCount?(1) }

  /// `omp_set_num_threads` of the OpenMP runtime that oneDNN loads.
  private static let setThreadCount: (@convention(c) (CInt) -> Void)? = {
    // The null handle searches everything that is loaded.
    guard let symbol = dlsym(nil, "omp_set_num_threads") else { return nil }
    return unsafeBitCast(symbol, to: (@convention(c) (CInt) -> Void).self)
  }()
}

extension Network {
  package static var libraryVersion: String {
    guard let version = dnnl_version()?.pointee else { return "" }
    return "\(version.major).\(version.minor).\(version.patch)"
  }
}
