import AccessoryModel
import HAPCore
import HAPServer
import Simulation
import SimulationRunning

/// A line of the standard input: a JSON object.
///
/// `{"fault":NAME,"arguments":{…},"on":[AID,IID],"count":N,"seconds":S}` puts a fault on the server, on an accessory or on a
/// characteristic; `{"clear":true}` ends all; `{"set":[AID,IID],"value":V}` lets the device report a value.
struct FaultOrder {
    private let object: JSONObject

    init(_ line: String) throws {
        guard let object = try JSONValue(parsing: Array(line.utf8)).object else { throw Refusal("no object") }
        self.object = object
    }

    func perform(on faults: ServerFaults) async throws {
        if let name = object["fault"]?.string {
            await faults.inject(try fault(name))
        } else if object["clear"] != nil {
            await faults.clear()
        } else if let place = object["set"]?.array, let id = Self.characteristic(place) {
            try await set(id, on: faults.server)
        } else {
            throw Refusal("an order that nobody knows")
        }
    }

    private func fault(_ name: String) throws -> Fault {
        guard let definition = FaultCatalogue.definition(named: name) else {
            throw Refusal("there is no fault \(name)")
        }
        var arguments: [String: SimulationArgument] = [:]
        for parameter in definition.parameters {
            arguments[parameter.name] = object["arguments"]?.object?[parameter.name]
                .flatMap { argument in
                    switch parameter.kind {
                    case .duration, .durationOrCharacteristic:
                        argument.number.map { .duration(.seconds($0.double)) }
                    case .number, .integer: argument.number.map { .number($0.double) }
                    case .flag: argument.flag.map { .flag($0) }
                    case .choice: argument.string.map { .choice($0) }
                    }
                }
        }
        var limit = definition.standardLimit
        if let count = object["count"]?.unsigned {
            limit.count = Int(clamping: count)
        }
        if let seconds = object["seconds"]?.number?.double {
            limit.duration = .seconds(seconds)
        }
        return Fault(definition.effect(arguments: arguments), on: try scope(), limit: limit)
    }

    private func scope() throws -> FaultScope {
        guard let place = object["on"]?.array else { return .server }
        if place.count == 1, let aid = place[0].unsigned.flatMap(AccessoryID.init) {
            return .accessory(aid)
        }
        guard let id = Self.characteristic(place) else { throw Refusal("there is no such place") }
        return .characteristic(id)
    }

    private func set(_ id: CharacteristicID, on server: AccessoryServer) async throws {
        let value: CharacteristicValue
        if let flag = object["value"]?.bool {
            value = .bool(flag)
        } else if let number = object["value"]?.unsigned, number <= 100 {
            value = .number(.unsigned(number))
        } else {
            throw Refusal("no value")
        }
        guard await server.set(value, for: id) else { throw Refusal("\(id) has no such value") }
    }

    private static func characteristic(_ place: [JSONValue]) -> CharacteristicID? {
        guard place.count == 2, let aid = place[0].unsigned, let iid = place[1].unsigned else { return nil }
        return CharacteristicID(aid, iid)
    }
}
