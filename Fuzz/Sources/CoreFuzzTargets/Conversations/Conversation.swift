/// A controller and an accessory in one process, with a network between them that the input controls.
protocol Conversation: ~Copyable {
    var network: Network { get set }

    /// Passes a message to the accessory, whose response goes to the network.
    mutating func receive(_ message: [UInt8])

    /// Passes a response to the controller, if it waits for one.
    mutating func respond(_ body: [UInt8])

    /// Changes the encrypted content of a message, as an owner of the keys could; returns other messages unchanged.
    mutating func changingContent(of message: [UInt8], by mutation: Mutation) -> [UInt8]
}

extension Conversation where Self: ~Copyable {
    /// Delivers the message that is on its way.
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

    /// Passes the same message to the accessory twice, as an attacker who records the network could.
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
