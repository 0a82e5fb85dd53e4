/// The messages of ONNX's public `onnx.proto`, by field number.
enum ONNXMessages {
  /// `TensorProto.DataType`.
  enum ElementType: Int {
    case float = 1
    case int64 = 7
  }

  /// A dimension of an input or output.
  enum Dimension {
    case size(Int)
    case free(String)
  }

  /// A named number or list of numbers of a node (`AttributeProto`).
  enum Attribute {
    case integer(Int)
    case integers([Int])
    case float(Float)

    /// The message; `AttributeProto.type` says which field holds the value.
    func message(named name: String) -> WireWriter {
      var message = WireWriter()
      message.text(1, name)
      switch self {
      case .float(let value):
        message.float(2, value)
        message.integer(20, 1)
      case .integer(let value):
        message.integer(3, value)
        message.integer(20, 2)
      case .integers(let values):
        message.integers(8, values)
        message.integer(20, 7)
      }
      return message
    }
  }

  /// A node (`NodeProto`).
  static func node(
    _ operation: String, name: String, inputs: [String], outputs: [String],
    attributes: [(String, Attribute)]
  ) -> WireWriter {
    var message = WireWriter()
    for input in inputs { message.text(1, input) }
    for output in outputs { message.text(2, output) }
    message.text(3, name)
    message.text(4, operation)
    for (name, attribute) in attributes { message.message(5, attribute.message(named: name)) }
    return message
  }

  /// A stored tensor of Float32 (`TensorProto`); the elements are its raw data.
  static func tensor(_ name: String, shape: [Int], floats: [Float]) -> WireWriter {
    var message = WireWriter()
    message.integers(1, shape)
    message.integer(2, ElementType.float.rawValue)
    message.text(8, name)
    message.floats(9, floats)
    return message
  }

  /// A stored tensor of whole numbers (`TensorProto`).
  static func tensor(_ name: String, shape: [Int], integers: [Int]) -> WireWriter {
    var message = WireWriter()
    message.integers(1, shape)
    message.integer(2, ElementType.int64.rawValue)
    message.integers(7, integers)
    message.text(8, name)
    return message
  }

  /// An input or output of Float32 (`ValueInfoProto`).
  ///
  /// - Parameter shape: The dimensions; the name of one whose size is free.
  static func value(_ name: String, shape: [Dimension], description: String) -> WireWriter {
    var message = WireWriter()
    message.text(1, name)
    message.message(2) { type in
      type.message(1) { tensor in
        tensor.integer(1, ElementType.float.rawValue)
        tensor.message(2) { dimensions in
          for dimension in shape {
            dimensions.message(1) { message in
              switch dimension {
              case .size(let size): message.integer(1, size)
              case .free(let name): message.text(2, name)
              }
            }
          }
        }
      }
    }
    message.text(3, description)
    return message
  }
}
