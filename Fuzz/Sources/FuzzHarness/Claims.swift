/// Ends the process if a claim that must be true for every input is false.
///
/// A precondition would not print its message in a release build.
package func claim(_ holds: @autoclosure () -> Bool, _ sentence: @autoclosure () -> String) {
    if !holds() {
        fatalError("does not hold: \(sentence())")
    }
}

/// Returns the result of a body, or the error that it throws.
package func outcome<Value, Failure: Error>(_ body: () throws(Failure) -> Value) -> Result<Value, Failure> {
    do throws(Failure) {
        return .success(try body())
    } catch {
        return .failure(error)
    }
}
