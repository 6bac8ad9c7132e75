/// What a home file says, with where it says so; equal are two that say the same, wherever.
package struct Placed<Value: Sendable & Hashable>: Sendable, Hashable {
    /// What it says.
    package var value: Value
    /// Where; `nil` of what was not read.
    package var place: DocumentPlace?

    /// Takes a value from a place.
    package init(_ value: Value, at place: DocumentPlace? = nil) {
        self.value = value
        self.place = place
    }

    package static func == (lhs: Placed<Value>, rhs: Placed<Value>) -> Bool {
        lhs.value == rhs.value
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(value)
    }
}
