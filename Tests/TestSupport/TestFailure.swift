/// The reason why a test cannot continue.
package struct TestFailure: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}
