package import HAPCore

/// A characteristic with what it is held to.
package struct DocumentedTest: Sendable, Hashable {
    /// What it is held to.
    package enum Test: Sendable, Hashable {
        case equals(Placed<DocumentedValue>)
        case changes
        case above(JSONNumber)
        case below(JSONNumber)
        case within(ClosedRange<JSONNumber>)
    }

    /// Which one: `Service/Characteristic`.
    package var characteristic: Placed<String>
    /// What it is held to.
    package var test: Test

    package init(characteristic: Placed<String>, test: Test) {
        self.characteristic = characteristic
        self.test = test
    }
}
