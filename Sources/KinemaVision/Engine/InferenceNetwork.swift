import COpenVINO
import Foundation

/// A network with its tensors; one inference at a time, by one thread.
final class InferenceNetwork {
  private let engine: OpenVINO
  private let model: OpaquePointer
  private let request: OpaquePointer
  private var tensors: [OpaquePointer] = []

  /// The input: height, width, red-green-blue.
  private(set) var input: UnsafeMutableBufferPointer<Float>
  /// The outputs, in the requested order.
  private(set) var outputs: [UnsafeBufferPointer<Float>] = []

  /// Reads a network of a runtime.
  ///
  /// - Parameter outputCounts: Number of values of each output, which identifies it; equal ones are in file
  ///   order.
  init(
    _ weights: Weights, runtime: VisionRuntime, precision: NetworkPrecision,
    inputCount: Int, outputCounts: [Int]
  ) throws(VisionError) {
    let url = try runtime.file(of: weights)
    engine = try OpenVINO.loaded(from: runtime.openVINOInterface())
    let functions = engine.functions
    let model = try engine.compile(
      url, precision: precision, device: runtime.usedDevice(runtime.device),
      cache: runtime.networkCache)
    var request: OpaquePointer?
    guard functions.compiled_model_create_infer_request(model, &request) == 0, let request else {
      functions.compiled_model_free(model)
      throw VisionError(
        .inferenceFailed, "\(url.path) cannot be run as a network (\(engine.lastError)).",
        text: MessageText("unusablePart", ["part": url.path]))
    }
    self.model = model
    self.request = request
    input = UnsafeMutableBufferPointer(start: nil, count: 0)

    let unexpected = VisionError(
      .unusablePart,
      "\(url.path) is not the expected network (its input or outputs differ);"
        + " run `kinema doctor`.", text: MessageText("unusablePart", ["part": url.path]))
    guard let input = numbers(functions.infer_request_get_input_tensor_by_index, 0),
      input.count == inputCount
    else { throw unexpected }
    self.input = input
    var outputCount = 0
    _ = functions.compiled_model_outputs_size(model, &outputCount)
    var found = (0..<outputCount).compactMap {
      numbers(functions.infer_request_get_output_tensor_by_index, $0)
    }
    for count in outputCounts {
      guard let index = found.firstIndex(where: { $0.count == count }) else { throw unexpected }
      outputs.append(UnsafeBufferPointer(found.remove(at: index)))
    }
  }

  deinit {
    tensors.forEach(engine.functions.tensor_free)
    engine.functions.infer_request_free(request)
    engine.functions.compiled_model_free(model)
  }

  func run() throws(VisionError) {
    guard engine.functions.infer_request_infer(request) == 0 else {
      throw VisionError(
        .inferenceFailed, MessageText("inferenceFailed", ["reason": engine.lastError]))
    }
  }

  private typealias TensorGetter =
    @convention(c) (OpaquePointer, Int, UnsafeMutablePointer<OpaquePointer?>) -> ov_status

  private func numbers(
    _ tensor: TensorGetter, _ index: Int
  ) -> UnsafeMutableBufferPointer<Float>? {
    var found: OpaquePointer?
    guard tensor(request, index, &found) == 0, let found else { return nil }
    tensors.append(found)
    var byteCount = 0
    var data: UnsafeMutableRawPointer?
    guard engine.functions.tensor_get_byte_size(found, &byteCount) == 0,
      engine.functions.tensor_data(found, &data) == 0, let data
    else { return nil }
    let count = byteCount / MemoryLayout<Float>.stride
    return UnsafeMutableBufferPointer(start: data.assumingMemoryBound(to: Float.self), count: count)
  }
}
