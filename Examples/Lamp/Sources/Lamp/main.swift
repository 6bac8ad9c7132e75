import Foundation
import HAPServer

let port = URL(filePath: CommandLine.arguments.dropFirst().first ?? "/sys/class/gpio/gpio17/value")

let on = HAPCharacteristic(.on, false)
    .onWrite { isOn in
        try Data((isOn ? "1" : "0").utf8).write(to: port)
    }
let lamp = HAPAccessory("Desk Lamp", category: .lighting) {
    HAPService(.lightbulb) { on }
}

let server = try await AccessoryServer.start(lamp, state: "lamp-state")
let information = await server.information
print("\(information.name): setup code \(information.setupCode.text), QR code \(information.setupURI)")

// The lamp has a switch of its own: what it does to the port, controllers are told.
let watching = Task {
    var seen: UInt8?
    while !Task.isCancelled {
        if let level = try Data(contentsOf: port).first, level != seen {
            seen = level
            try await server.set(on, to: level == UInt8(ascii: "1"))
        }
        try await Task.sleep(for: .milliseconds(200))
    }
}
await server.runUntilTerminated()
watching.cancel()
