import HAPServer

let on = HAPCharacteristic(.on, false)
    .onWrite { isOn in print("A controller switches the lamp \(isOn ? "on" : "off").") }
let lamp = HAPAccessory("Desk Lamp", category: .lighting) {
    HAPService(.lightbulb) { on }
}

let server = try await AccessoryServer.start(lamp, state: "lamp-state")
let information = await server.information
print("Setup code \(information.setupCode.text), text of the QR code \(information.setupURI)")

// The switch on the lamp was pressed: controllers receive an event.
try await server.set(on, to: true)

// Runs until Ctrl-C or SIGTERM.
await server.runUntilTerminated()
