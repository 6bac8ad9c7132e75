/// A fault on a board, to be cleared by; never given twice.
package struct FaultID: Sendable, Hashable {
    package let rawValue: UInt64

    init(_ rawValue: UInt64) {
        self.rawValue = rawValue
    }
}
