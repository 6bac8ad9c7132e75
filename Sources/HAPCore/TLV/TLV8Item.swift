/// One value of a TLV8 message, its fragments joined.
///
/// HAP: §4
package struct TLV8Item: Sendable, Hashable {
    package var type: UInt8
    package var value: [UInt8]

    package init(type: UInt8, value: [UInt8]) {
        self.type = type
        self.value = value
    }
}
