import Foundation
import HAPServer

let port = URL(filePath: CommandLine.arguments.dropFirst().first ?? "/sys/class/gpio/gpio17/value")

let on = HAPCharacteristic(.on, false)
    .onWrite { isOn in try Data((isOn ? "1" : "0").utf8).write(to: port) }
    // The lamp has its own switch. Its changes to the port are reported to controllers.
    .polled(every: .milliseconds(200)) { try Data(contentsOf: port).first.map { $0 == UInt8(ascii: "1") } }
let lamp = HAPAccessory("Desk Lamp", category: .lighting) {
    HAPService(.lightbulb) { on }
}

let server = try await AccessoryServer.start(lamp, state: "lamp-state")
let information = await server.information
print("\(information.name): setup code \(information.setupCode.text), QR code \(information.setupURI)")
await server.runUntilTerminated()
