import HAPController

let arguments = CommandLine.arguments
guard arguments.count == 4, let port = UInt16(arguments[2]), let code = SetupCode(arguments[3]) else {
    fatalError("usage: remote HOST PORT SETUP-CODE")
}

let controller = try await Controller.open(state: "remote-state")
let garage = try await controller.pair(.address(host: arguments[1], port: port), with: .code(code), as: "Garage")

for accessory in try await garage.accessories() {
    for service in accessory.services where service.type == .lightbulb {
        guard let on = service.characteristics.first(where: { $0.type == .on }) else { continue }
        let light = CharacteristicID(aid: accessory.aid, iid: on.iid)
        for result in try await garage.write([CharacteristicWrite(light, true)]) {
            print("written:", result.isSuccess)
        }
        for result in try await garage.read([light]) {
            print("read:", result.value == true)
        }
    }
}

try await garage.unpair()
await controller.close()
