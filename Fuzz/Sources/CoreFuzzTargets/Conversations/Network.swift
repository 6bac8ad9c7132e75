/// The messages between a controller and an accessory, and a recording of earlier ones.
struct Network {
    var toAccessory: [UInt8]?
    var toController: [UInt8]?
    private var recorded: [[UInt8]] = []

    mutating func sendToAccessory(_ message: [UInt8]) {
        toAccessory = message
        recorded.append(message)
    }

    mutating func sendToController(_ message: [UInt8]) {
        toController = message
        recorded.append(message)
    }

    /// Returns one of the messages that were sent; `nil` if there are none.
    func recorded(_ number: UInt8) -> [UInt8]? {
        recorded.isEmpty ? nil : recorded[Int(number) % recorded.count]
    }
}
