/// The contents of a Core ML model's file; the layers stay bytes until the rest is known to be an
/// action classifier.
///
/// Field numbers are those of Apple's public `Model.proto` and `FeatureTypes.proto`.
struct ModelSpecification {
  var version = 0
  /// The field number of the kind of model; `nil` where there is none.
  var kindField: Int?
  var inputs: [FeatureSpecification] = []
  var outputs: [FeatureSpecification] = []
  var metadata = ModelMetadata()
  var content: ArraySlice<UInt8> = []

  static let neuralNetworkClassifier = 403

  /// Reads a model; throws ``SpecificationError``.
  init(_ bytes: [UInt8]) throws {
    var reader = WireReader(bytes[...])
    while let field = try reader.next() {
      switch field.number {
      case 1: version = try field.integer()
      case 2: try readDescription(field.message())
      case let number where ModelKind.isKnown(number):
        guard kindField == nil else {
          throw SpecificationError.damaged("it holds two models")
        }
        kindField = field.number
        content = try field.bytes()
      default: break
      }
    }
  }

  private mutating func readDescription(_ message: WireReader) throws {
    var reader = message
    while let field = try reader.next() {
      switch field.number {
      case 1: inputs.append(try FeatureSpecification(field.message()))
      case 10: outputs.append(try FeatureSpecification(field.message()))
      case 100: try readMetadata(field.message())
      default: break
      }
      guard inputs.count + outputs.count <= 1000 else {
        throw SpecificationError(.tooLarge, "has more than 1000 inputs and outputs")
      }
    }
  }

  private mutating func readMetadata(_ message: WireReader) throws {
    var reader = message
    while let field = try reader.next() {
      switch field.number {
      case 1: metadata.shortDescription = try field.text()
      case 2: metadata.version = try field.text()
      case 3: metadata.author = try field.text()
      case 4: metadata.license = try field.text()
      case 100:
        var entry = try field.message()
        var (key, value) = ("", "")
        while let part = try entry.next() {
          switch part.number {
          case 1: key = try part.text()
          case 2: value = try part.text()
          default: break
          }
        }
        metadata.userDefined[key] = value
        guard metadata.userDefined.count <= 1000 else {
          throw SpecificationError(.tooLarge, "has more than 1000 entries of metadata")
        }
      default: break
      }
    }
  }
}

struct FeatureSpecification {
  /// The types, by field number in `FeatureType`.
  enum Kind: Int {
    case integer = 1
    case double = 2
    case text = 3
    case image = 4
    case multiArray = 5
    case dictionary = 6
    case sequence = 7
    case state = 8
  }

  var name = ""
  var description = ""
  var kind: Kind?
  var isOptional = false
  var shape: [Int] = []
  /// `ArrayFeatureType.ArrayDataType`.
  var dataType = 0

  static let float32 = 65568
  static let double = 65600
  static let float16 = 65552
  static let int32 = 131104

  init(_ message: WireReader) throws {
    var reader = message
    while let field = try reader.next() {
      switch field.number {
      case 1: name = try field.text()
      case 2: description = try field.text()
      case 3: try readType(field.message())
      default: break
      }
    }
  }

  private mutating func readType(_ message: WireReader) throws {
    var reader = message
    while let field = try reader.next() {
      if field.number == 1000 {
        isOptional = try field.boolean()
      } else if let kind = Kind(rawValue: field.number) {
        self.kind = kind
        if kind == .multiArray { try readArray(field.message()) }
      }
    }
  }

  private mutating func readArray(_ message: WireReader) throws {
    var reader = message
    while let field = try reader.next() {
      switch field.number {
      case 1: try field.append(to: &shape)
      case 2: dataType = try field.integer()
      default: break
      }
    }
  }

  var typeName: String {
    switch kind {
    case .integer: "whole number"
    case .double: "number"
    case .text: "text"
    case .image: "image"
    case .multiArray: "multi-array (\(dataTypeName))"
    case .dictionary: "dictionary"
    case .sequence: "sequence"
    case .state: "state"
    case nil: "of no type"
    }
  }

  private var dataTypeName: String {
    switch dataType {
    case FeatureSpecification.float32: "Float32"
    case FeatureSpecification.double: "Double"
    case FeatureSpecification.float16: "Float16"
    case FeatureSpecification.int32: "Int32"
    default: "no element type"
    }
  }

  var information: ModelInformation.Feature {
    .init(name: name, type: typeName, shape: shape, description: description)
  }
}
