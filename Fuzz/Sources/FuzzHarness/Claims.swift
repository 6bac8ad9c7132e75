/// Ends the process when something does not hold that must hold for every input.
///
/// A precondition would not say what in a release build.
package func claim(_ holds: @autoclosure () -> Bool, _ sentence: @autoclosure () -> String) {
    if !holds() {
        fatalError("does not hold: \(sentence())")
    }
}

/// What a body returns, or the error that it throws.
package func outcome<Value, Failure: Error>(_ body: () throws(Failure) -> Value) -> Result<Value, Failure> {
    do throws(Failure) {
        return .success(try body())
    } catch {
        return .failure(error)
    }
}
