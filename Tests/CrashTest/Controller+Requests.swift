import HAPCore
import TestSupport

extension Controller {
    /// Posts a pairing message and returns the body of the answer.
    func exchange(_ message: [UInt8], at endpoint: HAPEndpoint) throws -> [UInt8] {
        let answer = try request(HTTPRequest(.post, endpoint, body: message))
        guard answer.status == 200 else { throw TestFailure("\(endpoint) was answered with \(answer.status)") }
        return answer.body
    }

    /// Pairs, up to M6; `note` is told of every message that is about to be sent and of every answer, by its number.
    ///
    /// - Throws: `PairingFailure` when the accessory refuses.
    func pair(
        as controller: ControllerIdentity,
        code: SetupCode,
        note: (_ message: Int) -> Void = { _ in }
    ) throws -> AccessoryPairing {
        var machine = PairSetupController(identity: controller, code: code)
        var action = machine.start()
        var number = 1
        while true {
            switch action {
            case .send(let message):
                note(number)
                let answer = try exchange(message, at: .pairSetup)
                if TLV8Error.of(answer) == nil {
                    note(number + 1)
                }
                number += 2
                action = machine.receive(answer)
            case .compute(let computation): action = machine.computed(computation.run())
            case .finished(let pairing): return pairing
            case .failed(let failure): throw failure
            }
        }
    }

    /// Proves who it is, and goes over to frames.
    ///
    /// - Throws: `PairingFailure` when the accessory refuses.
    func verify(as controller: ControllerIdentity, of accessory: AccessoryPairing) throws {
        var machine = PairVerifyController(identity: controller, accessory: accessory)
        var action = machine.start(ephemeral: .random())
        while true {
            switch action {
            case .send(let message): action = machine.receive(try exchange(message, at: .pairVerify))
            case .finished(let keys):
                secure(with: keys)
                return
            case .failed(let failure): throw failure
            }
        }
    }

    /// Posts a request about pairings and returns the error that it is answered with, `nil` when it was carried out.
    func managePairings(_ message: [UInt8]) throws -> PairingError? {
        TLV8Error.of(try exchange(message, at: .pairings))
    }

    /// Writes values in one request; returns the status of the response.
    func write(_ values: [CharacteristicID: JSONValue]) throws -> Int {
        let items = values.map { CharacteristicWriteItem(CharacteristicAddress($0), value: $1) }
        return try request(HTTPRequest(.put, .characteristics, body: CharacteristicWriteRequest(items).body)).status
    }

    /// The values of characteristics.
    func read(_ ids: [CharacteristicID]) throws -> [CharacteristicID: JSONValue] {
        let read = CharacteristicReadRequest(ids.map(CharacteristicAddress.init))
        let answer = try request(HTTPRequest(.get, .characteristics, query: read.query))
        guard answer.status == 200 else { throw TestFailure("a read was answered with \(answer.status)") }
        var values: [CharacteristicID: JSONValue] = [:]
        for item in try CharacteristicResponse(parsing: answer.body).items {
            if let id = item.address.id {
                values[id] = item.value
            }
        }
        return values
    }

    /// Which characteristics there are, with their ids: by accessory, service and type.
    func characteristicIDs() throws -> [String: CharacteristicID] {
        let answer = try request(HTTPRequest(.get, .accessories))
        guard answer.status == 200 else { throw TestFailure("/accessories was answered with \(answer.status)") }
        var ids: [String: CharacteristicID] = [:]
        for accessory in try JSONValue(parsing: answer.body).object?["accessories"]?.array ?? [] {
            guard let aid = accessory.object?["aid"]?.unsigned else { continue }
            for service in accessory.object?["services"]?.array ?? [] {
                let serviceType = service.object?["type"]?.string ?? "?"
                for characteristic in service.object?["characteristics"]?.array ?? [] {
                    guard let iid = characteristic.object?["iid"]?.unsigned, let id = CharacteristicID(aid, iid) else {
                        continue
                    }
                    let type = characteristic.object?["type"]?.string ?? "?"
                    guard ids.updateValue(id, forKey: "\(aid)/\(serviceType)/\(type)") == nil else {
                        throw TestFailure("/accessories has \(type) twice in \(aid)/\(serviceType)")
                    }
                }
            }
        }
        return ids
    }
}

/// The error in a pairing message.
enum TLV8Error {
    static func of(_ message: [UInt8]) -> PairingError? {
        PairingMessages.value(.error, of: message)?.first.flatMap(PairingError.init)
    }
}
