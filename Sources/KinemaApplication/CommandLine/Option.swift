import Synchronization

/// What the words of a command line, or a worker's job, can set: an option or a switch.
protocol Declaration: Sendable {
  /// The name of the value in help texts; `nil` for a switch.
  var valueName: String? { get }
  /// What it does, with its default.
  var help: String { get }
  var kind: OptionKind { get }
  /// The text that was given, empty for a switch that is on; `nil` where there is none.
  var text: String? { get }
  /// Whether it was given, be it to turn a switch off.
  var isGiven: Bool { get }
  /// Takes a value for the option of a name; throws ``UsageError`` for none of its values.
  func take(_ text: String, for name: String) throws
}

/// An option with a value, named after its property: `@Option("N", "…") var maxHands: Int?` is
/// `--max-hands N`.
///
/// A value that the declaration begins with is the default, and the help says so. Copies of a command
/// share their options, which are set once.
@propertyWrapper
struct Option<Value: OptionValue>: Declaration {
  let valueName: String?
  let help: String
  private let limits: ClosedRange<Value.Limit>?
  private let place: Place<Value>

  init(_ valueName: String, _ help: String, _ limits: ClosedRange<Value.Limit>? = nil)
  where Value: ExpressibleByNilLiteral {
    self.init(nil, valueName, Self.help(help), limits)
  }

  init(
    wrappedValue: Value, _ valueName: String, _ help: String,
    _ limits: ClosedRange<Value.Limit>? = nil
  ) {
    self.init(wrappedValue, valueName, Self.help(help, default: wrappedValue.text), limits)
  }

  private init(
    _ value: Value, _ valueName: String, _ help: String, _ limits: ClosedRange<Value.Limit>?
  ) {
    (self.valueName, self.help, self.limits) = (valueName, help, limits)
    place = Place(value)
  }

  var wrappedValue: Value {
    get { place.state.withLock { $0.value } }
    nonmutating set { place.state.withLock { $0.value = newValue } }
  }

  var kind: OptionKind { Value.kind }
  var text: String? { place.state.withLock { $0.text } }
  var isGiven: Bool { text != nil }

  func take(_ text: String, for name: String) throws {
    // The current folder, where an empty text were a path.
    guard !text.isEmpty || ![.file, .folder, .model].contains(Value.kind) else {
      throw UsageError("--\(name) is empty; check the variable that its value comes from.")
    }
    guard let value = try Value.value(of: text, within: limits) else {
      throw UsageError("--\(name) takes \(Value.expectation(within: limits)), not \(text).")
    }
    place.state.withLock { $0 = (value, text) }
  }

  /// The help with the choices, where it ends with a colon, and with the default where it does not say it.
  private static func help(_ help: String, default: String? = nil) -> String {
    guard help.hasSuffix(":"), case .choice(let words) = Value.kind else {
      guard let `default`, !help.contains("(default"), help.hasSuffix(".") else { return help }
      return "\(help.dropLast()) (default \(`default`))."
    }
    let all = words.map { $0 == `default` ? "\($0) (default)" : $0 }
    return "\(help) \(all.dropLast().joined(separator: ", ")) or \(all.last ?? "")."
  }
}

/// A switch, named after its property: `@Flag("…") var noCache: Bool` is `--no-cache`, and `--no-cache=false`
/// where the settings file sets it.
@propertyWrapper
struct Flag: Declaration {
  let help: String
  private let place = Place(false)

  init(_ help: String) { self.help = help }

  var wrappedValue: Bool {
    get { place.state.withLock { $0.value } }
    nonmutating set { place.state.withLock { $0.value = newValue } }
  }

  var valueName: String? { nil }
  var kind: OptionKind { .switch }
  var text: String? { wrappedValue ? "" : nil }
  var isGiven: Bool { place.state.withLock { $0.text != nil } }

  func take(_ text: String, for name: String) throws {
    guard ["", "true", "false"].contains(text) else {
      throw UsageError("--\(name) takes no value but true or false, not \(text).")
    }
    place.state.withLock { $0 = (text != "false", text) }
  }
}

/// The words that are not options, in their order.
@propertyWrapper
struct Operands: Sendable {
  /// How many there can be.
  let counts: ClosedRange<Int>
  /// What is said where there are others.
  let sentence: String
  private let place = Place<[String]>([])

  init(_ counts: ClosedRange<Int>, _ sentence: String = "Name at least one file or folder.") {
    (self.counts, self.sentence) = (counts, sentence)
  }

  var wrappedValue: [String] {
    get { place.state.withLock { $0.value } }
    nonmutating set { place.state.withLock { $0.value = newValue } }
  }

  /// Takes all operands; throws ``UsageError`` where they are too many or too few.
  func take(_ words: [String]) throws {
    guard words.count <= counts.upperBound else {
      throw UsageError("\(words[counts.upperBound]) is one word too many. \(sentence)")
    }
    guard words.count >= counts.lowerBound else { throw UsageError(sentence) }
    guard !words.contains("") else {
      throw UsageError("A name is empty; check the variable that it comes from.")
    }
    wrappedValue = words
  }
}

private final class Place<Value: Sendable>: Sendable {
  let state: Mutex<(value: Value, text: String?)>

  init(_ value: Value) { state = Mutex((value, nil)) }
}
