public import Testing

/// Runs what must fail, and returns its error; `nil`, with an issue, where it ends otherwise.
///
/// `#expect(throws:)` returns the error from Swift 6.1 on only.
public func expectError<Failure: Error>(
  _ type: Failure.Type, sourceLocation: SourceLocation = #_sourceLocation,
  by body: () throws -> some Any
) -> Failure? {
  do {
    let value = try body()
    Issue.record("\(value) came where \(type) was expected", sourceLocation: sourceLocation)
  } catch let error as Failure {
    return error
  } catch {
    Issue.record("\(error) came where \(type) was expected", sourceLocation: sourceLocation)
  }
  return nil
}

/// Runs what must fail, and returns its error; `nil`, with an issue, where it ends otherwise.
public func expectAsyncError<Failure: Error, Value>(
  _ type: Failure.Type, isolation: isolated (any Actor)? = #isolation,
  sourceLocation: SourceLocation = #_sourceLocation, by body: () async throws -> sending Value
) async -> Failure? {
  do {
    let value = try await body()
    Issue.record("\(value) came where \(type) was expected", sourceLocation: sourceLocation)
  } catch let error as Failure {
    return error
  } catch {
    Issue.record("\(error) came where \(type) was expected", sourceLocation: sourceLocation)
  }
  return nil
}

/// Runs what must fail, and returns its error; throws where it ends otherwise.
public func requireError<Failure: Error>(
  _ type: Failure.Type, sourceLocation: SourceLocation = #_sourceLocation,
  by body: () throws -> some Any
) throws -> Failure {
  let error = expectError(type, sourceLocation: sourceLocation, by: body)
  return try #require(error, sourceLocation: sourceLocation)
}

/// Runs what must fail, and returns its error; throws where it ends otherwise.
public func requireAsyncError<Failure: Error, Value>(
  _ type: Failure.Type, isolation: isolated (any Actor)? = #isolation,
  sourceLocation: SourceLocation = #_sourceLocation, by body: () async throws -> sending Value
) async throws -> Failure {
  let error = await expectAsyncError(
    type, isolation: isolation, sourceLocation: sourceLocation, by: body)
  return try #require(error, sourceLocation: sourceLocation)
}
