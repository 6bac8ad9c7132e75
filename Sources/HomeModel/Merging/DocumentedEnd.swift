/// When what an automation of a file has begun ends.
package struct DocumentedEnd: Sendable, Hashable {
    /// After so much time, or so long after the test has become true.
    package var delay: Duration?
    /// When a test becomes true.
    package var test: DocumentedTest?
    /// What is set then; `nil` restores what was before.
    package var actions: [DocumentedAction]?

    package init(delay: Duration?, test: DocumentedTest?, actions: [DocumentedAction]?) {
        self.delay = delay
        self.test = test
        self.actions = actions
    }
}
