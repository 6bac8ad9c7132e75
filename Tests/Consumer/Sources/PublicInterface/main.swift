// Uses everything that a program may need, to check that it is public. This program is built, but never run.

import CoreMetrics
import HAPServer
import Logging
import ServiceLifecycle
import UnixSignals

enum DoorState: UInt8, CharacteristicConvertible {
    case open
    case closed
}

struct Log: ServerObserver {
    func observe(_ fact: ServerEvent) {
        switch fact {
        case .valueChanged(let id, let type, let value, by: .controller):
            print("\(id) \(type) is \(value?.description ?? "nothing") now")
        case .advertiserChanged(let state): print("discovery: \(state)")
        case .handlerFailed(let id, let reason): print("\(id) failed: \(reason)")
        case .storeFailed(let error): print(error.reason, error.remedy)
        default: break
        }
    }
}

actor Hardware {
    private(set) var isMoving = false

    func move(to state: DoorState) throws {
        guard !isMoving else { throw HandlerFailure(.busy) }
        isMoving = true
    }
}

let hardware = Hardware()
let current = HAPCharacteristic(.currentDoorState, DoorState.closed)
let obstruction = HAPCharacteristic(.obstructionDetected, false)
let fadeRate = HAPCharacteristic(
    custom: "7E536242-341C-4862-BE90-272CE15BD633",
    "Fade Rate",
    1.0,
    format: .float,
    unit: .seconds,
    range: 0...10,
    step: 0.5,
    permissions: [.read, .write, .events]
)
let button = HAPCharacteristic(.programmableSwitchEvent, of: Int.self, validValues: [0])
let light = HAPService(.lightbulb, name: "Light", key: "light") {
    HAPCharacteristic(.on, false).onRead { true }.onWrite { isOn in print(isOn) }.polled(every: .seconds(1)) { nil }
    HAPCharacteristic(.brightness, 100).handled { percent, _ in max(percent, 10) }
    fadeRate
}
let garage = HAPAccessory(
    "Garage",
    category: .garageDoorOpener,
    key: "garage",
    manufacturer: "Me",
    model: "G1",
    serialNumber: "0001",
    firmware: "1.0.0"
) {
    HAPService(.garageDoorOpener, isPrimary: true) {
        current
        HAPCharacteristic(.targetDoorState, DoorState.closed).onWrite { state in try await hardware.move(to: state) }
        obstruction
    }
    .linked(to: light)
    light
    HAPService(.statelessProgrammableSwitch, isHidden: true) { button }
}
.onIdentify { print("here I am") }

do {
    let state = try await StateStore.open(folder: "consumer-state")
    let server = try await AccessoryServer.start(
        .bridge("Bridge") { garage },
        store: state.server(key: "bridge"),
        setupCode: "031-45-154",
        port: 0,
        bindAddress: "127.0.0.1",
        discovery: nil,
        logger: Logger(label: "consumer"),
        metrics: NOOPMetricsHandler.instance,
        observer: Log()
    )
    try await server.set(current, to: .open)
    try await server.set(fadeRate, to: 2.5)
    try await server.set(button, to: 0)
    let isObstructed: Bool? = try await server.value(of: obstruction)
    print(isObstructed ?? false, await server.information.setupURI)
    try await server.replace(with: .bridge("Bridge") { garage })
    let group = ServiceGroup(
        services: [server],
        gracefulShutdownSignals: [.sigterm],
        logger: Logger(label: "consumer")
    )
    try await group.run()
    try await state.close()
} catch let error as ServerError {
    print(error.code, error.reason, error.remedy)
}
