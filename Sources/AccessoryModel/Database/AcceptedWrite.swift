/// A validated value on its way to the characteristic at an index.
package struct AcceptedWrite: Sendable, Hashable {
    package let index: Int
    package let value: CharacteristicValue

    package init(index: Int, value: CharacteristicValue) {
        self.index = index
        self.value = value
    }
}
