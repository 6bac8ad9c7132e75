/// A controller and an accessory, in one memory, with a network between them that the input commands.
protocol Conversation: ~Copyable {
    var network: Network { get set }

    /// Hands a message to the accessory, whose answer goes to the network.
    mutating func receive(_ message: [UInt8])

    /// Hands an answer to the controller, if it waits for one.
    mutating func respond(_ body: [UInt8])

    /// Changes what is sealed in a message as one who has the keys could; as it is when nothing is.
    mutating func changingContent(of message: [UInt8], by mutation: Mutation) -> [UInt8]
}

extension Conversation where Self: ~Copyable {
    /// Hands over the message that is on its way.
    mutating func deliver() {
        if let message = network.toAccessory.take() {
            receive(message)
        } else if let message = network.toController.take() {
            respond(message)
        }
    }

    mutating func deliverChanged(by mutation: Mutation) {
        network.toAccessory = network.toAccessory.map(mutation.apply)
        network.toController = network.toController.map(mutation.apply)
        deliver()
    }

    mutating func deliverSealedAnew(by mutation: Mutation) {
        if let message = network.toAccessory {
            network.toAccessory = changingContent(of: message, by: mutation)
        }
        if let message = network.toController {
            network.toController = changingContent(of: message, by: mutation)
        }
        deliver()
    }

    /// Hands the accessory the same message twice, the second one by whoever records the network.
    mutating func deliverTwice() {
        let message = network.toAccessory
        deliver()
        if let message { receive(message) }
    }

    mutating func replayToAccessory(_ number: UInt8) {
        if let message = network.recorded(number) { receive(message) }
    }

    mutating func replayToController(_ number: UInt8) {
        if let message = network.recorded(number) { respond(message) }
    }
}
