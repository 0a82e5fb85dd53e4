internal import KinemaNetwork

/// The contents of an ONNX model, by the field numbers of the public `onnx.proto`.
struct ONNXSpecification {
  /// A stored tensor: numbers of Float32, or whole ones of 64 bits.
  struct Tensor {
    var shape: [Int] = []
    var floats: [Float]?
    var integers: [Int]?
  }

  /// A node, with those of its attributes that are numbers and lists of whole numbers.
  struct Operation {
    var name = ""
    var kind = ""
    var inputs: [String] = []
    var outputs: [String] = []
    var integers: [String: [Int]] = [:]
    var floats: [String: Float] = [:]

    /// A whole number; `standard` where it is not there.
    func integer(_ name: String, default standard: Int) -> Int { integers[name]?.first ?? standard }
  }

  /// An input or output; 0 stands for a dimension that is free.
  struct Value {
    var name = ""
    var description = ""
    var shape: [Int] = []
  }

  private(set) var description = ""
  private(set) var operatorSet = 0
  private(set) var properties: [String: String] = [:]
  private(set) var operations: [Operation] = []
  private(set) var tensors: [String: Tensor] = [:]
  private(set) var inputs: [Value] = []
  private(set) var outputs: [Value] = []

  private static let maximumProperties = 1000
  /// Inputs and outputs of an action classifier are one each.
  private static let maximumValues = 1000

  /// Reads a model; throws ``SpecificationError`` and `NetworkError`.
  init(_ bytes: [UInt8]) throws {
    var reader = WireReader(bytes[...])
    while let field = try reader.next() {
      switch field.number {
      case 6: description = try field.text()
      case 7: try readGraph(field.message())
      case 8:
        var set = try field.message()
        while let part = try set.next() {
          if part.number == 2 { operatorSet = try part.integer() }
        }
      case 14:
        var entry = try field.message()
        var (key, value) = ("", "")
        while let part = try entry.next() {
          switch part.number {
          case 1: key = try part.text()
          case 2: value = try part.text()
          default: break
          }
        }
        properties[key] = value
        guard properties.count <= Self.maximumProperties else {
          throw SpecificationError(
            .tooLarge, "has more than \(Self.maximumProperties) entries of metadata")
        }
      default: break
      }
    }
  }

  private mutating func readGraph(_ message: WireReader) throws {
    var reader = message
    while let field = try reader.next() {
      switch field.number {
      case 1:
        operations.append(try Self.operation(field.message()))
        guard operations.count <= NetworkLimits.nodes else {
          throw SpecificationError(
            .tooLarge, "has more than \(NetworkLimits.nodes) nodes, which no classifier needs")
        }
      case 5:
        let (name, tensor) = try Self.tensor(field.message())
        tensors[name] = tensor
      case 11: inputs.append(try Self.value(field.message()))
      case 12: outputs.append(try Self.value(field.message()))
      default: break
      }
      guard inputs.count + outputs.count <= Self.maximumValues else {
        throw SpecificationError(
          .tooLarge, "has more than \(Self.maximumValues) inputs and outputs")
      }
    }
  }

  private static func operation(_ message: WireReader) throws -> Operation {
    var operation = Operation()
    var reader = message
    while let field = try reader.next() {
      switch field.number {
      case 1: operation.inputs.append(try field.text())
      case 2: operation.outputs.append(try field.text())
      case 3: operation.name = try field.text()
      case 4: operation.kind = try field.text()
      case 5: try readAttribute(field.message(), of: &operation)
      default: break
      }
      guard operation.inputs.count <= NetworkLimits.blobsPerNode,
        operation.outputs.count <= NetworkLimits.blobsPerNode
      else {
        throw SpecificationError(
          .tooLarge, "has a node of more than \(NetworkLimits.blobsPerNode) inputs or outputs")
      }
    }
    return operation
  }

  private static func readAttribute(_ message: WireReader, of operation: inout Operation) throws {
    var name = ""
    var float: Float?
    var integers: [Int] = []
    var reader = message
    while let field = try reader.next() {
      switch field.number {
      case 1: name = try field.text()
      case 2: float = try field.float()
      case 3: integers = [try field.integer()]
      case 8: try field.append(to: &integers)
      default: break
      }
    }
    if let float { operation.floats[name] = float }
    if !integers.isEmpty { operation.integers[name] = integers }
  }

  private static func tensor(_ message: WireReader) throws -> (String, Tensor) {
    var (name, type) = ("", 0)
    var tensor = Tensor()
    var (floats, integers): ([Float], [Int]) = ([], [])
    var raw: WireField?
    var reader = message
    while let field = try reader.next() {
      switch field.number {
      case 1: try field.append(to: &tensor.shape)
      case 2: type = try field.integer()
      case 4: try field.append(to: &floats)
      case 7: try field.append(to: &integers)
      case 8: name = try field.text()
      case 9: raw = field
      case 13, 14:
        throw SpecificationError(.unsupportedModel, "keeps weights in another file")
      default: break
      }
    }
    let count = try checkedProduct(tensor.shape, of: "elements")
    switch ONNXMessages.ElementType(rawValue: type) {
    case .float:
      try raw?.append(to: &floats)
      guard floats.allSatisfy(\.isFinite) else {
        throw SpecificationError(
          .malformedModel, "has a weight in “\(name)” that is no finite number")
      }
      tensor.floats = floats
    case .int64:
      tensor.integers = try integers + (raw.map { try Self.integers($0.bytes()) } ?? [])
    case nil:
      throw SpecificationError(
        .unsupportedModel, "stores “\(name)” as numbers that Kinema does not write (type \(type))")
    }
    guard tensor.floats?.count ?? tensor.integers?.count == count else {
      throw SpecificationError.damaged("“\(name)” does not have the \(count) elements of its shape")
    }
    return (name, tensor)
  }

  private static func integers(_ raw: ArraySlice<UInt8>) throws -> [Int] {
    guard raw.count.isMultiple(of: 8), raw.count / 8 <= WireReader.maximumIntegers else {
      throw WireReader.tooManyIntegers
    }
    return stride(from: raw.startIndex, to: raw.endIndex, by: 8).map { start in
      let value = raw[start..<start + 8].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      return Int(Int64(bitPattern: value))
    }
  }

  /// Reads a `ValueInfoProto`: its name, and the dimensions of its tensor.
  private static func value(_ message: WireReader) throws -> Value {
    var value = Value()
    var reader = message
    while let field = try reader.next() {
      switch field.number {
      case 1: value.name = try field.text()
      case 2: value.shape = try shape(field.message())
      case 3: value.description = try field.text()
      default: break
      }
    }
    return value
  }

  /// The dimensions in a `TypeProto`: of its tensor's shape.
  private static func shape(_ type: WireReader) throws -> [Int] {
    let dimensions = try messages(1, in: messages(2, in: messages(1, in: [type])))
    guard dimensions.count <= Shape.maximumRank else {
      throw SpecificationError(.tooLarge, "has an input of \(dimensions.count) dimensions")
    }
    return try dimensions.map { dimension in
      var (dimension, size) = (dimension, 0)
      while let field = try dimension.next() {
        if field.number == 1 { size = try field.integer() }
      }
      return size
    }
  }

  /// The messages in a field of others.
  private static func messages(_ number: Int, in messages: [WireReader]) throws -> [WireReader] {
    var found: [WireReader] = []
    for var message in messages {
      while let field = try message.next() {
        if field.number == number { found.append(try field.message()) }
      }
    }
    return found
  }
}
