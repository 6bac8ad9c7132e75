/// A characteristic that is to be set, and the value.
package struct DocumentedAction: Sendable, Hashable {
    /// Which one: `Service/Characteristic`, or `Accessory/Type/Characteristic`.
    package var characteristic: Placed<String>
    /// The value.
    package var value: Placed<DocumentedValue>

    package init(characteristic: Placed<String>, value: Placed<DocumentedValue>) {
        self.characteristic = characteristic
        self.value = value
    }
}
