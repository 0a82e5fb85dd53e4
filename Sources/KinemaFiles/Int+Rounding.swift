extension Int {
  /// The nearest integer; `nil` for a number that is not finite or has none, such as 1e19.
  ///
  /// `Int(number)` ends the process for these: numbers from files and messages become integers here.
  package init?(rounding number: some BinaryFloatingPoint) {
    self.init(exactly: number.rounded())
  }

  /// The nearest integer; the largest or smallest one beyond them, and 0 for NaN.
  package init(saturating number: some BinaryFloatingPoint) {
    self = Int(rounding: number) ?? (number.isNaN ? 0 : number > 0 ? .max : .min)
  }
}
