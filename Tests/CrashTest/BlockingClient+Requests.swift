import HAPCore
import TestSupport

extension BlockingClient {
    /// Posts a pairing message and returns the body of the response.
    func exchange(_ message: [UInt8], at endpoint: HAPEndpoint) throws -> [UInt8] {
        let response = try request(HTTPRequest(.post, endpoint, body: message))
        guard response.status == 200 else { throw TestFailure("\(endpoint) returned status \(response.status)") }
        return response.body
    }

    /// Pairs the controller, up to M6.
    ///
    /// `onMessage` receives the number of every message before it is sent, and of every response that is not an error.
    ///
    /// - Throws: `PairingFailure` when the accessory refuses.
    func pair(
        as controller: ControllerIdentity,
        code: SetupCode,
        onMessage: (_ message: Int) -> Void = { _ in }
    ) throws -> AccessoryPairing {
        var step = PairingStep.setUp(as: controller, code: code)
        var number = 1
        while true {
            switch step {
            case .post(let message, let next):
                onMessage(number)
                let response = try exchange(message, at: .pairSetup)
                if PairingMessages.error(of: response) == nil {
                    onMessage(number + 1)
                }
                number += 2
                step = try next(response)
            case .finished(let pairing): return pairing
            }
        }
    }

    /// Runs pair-verify; afterwards the session uses encrypted frames.
    ///
    /// - Throws: `PairingFailure` when the accessory refuses.
    func verify(as controller: ControllerIdentity, of accessory: AccessoryPairing) throws {
        var step = PairingStep.verify(as: controller, of: accessory)
        while true {
            switch step {
            case .post(let message, let next): step = try next(try exchange(message, at: .pairVerify))
            case .finished(let frames):
                secure(with: frames)
                return
            }
        }
    }

    /// Posts a request that changes pairings, and returns the error of the response, or `nil` on success.
    func managePairings(_ message: [UInt8]) throws -> PairingErrorCode? {
        PairingMessages.error(of: try exchange(message, at: .pairings))
    }

    /// Writes values in one request and returns the status of the response.
    func write(_ values: [CharacteristicID: JSONValue]) throws -> Int {
        let items = values.map { CharacteristicWriteItem(CharacteristicAddress($0), value: $1) }
        return try request(.write(items)).status
    }

    /// Returns the values of characteristics.
    func read(_ ids: [CharacteristicID]) throws -> [CharacteristicID: JSONValue] {
        let response = try request(.read(ids))
        guard response.status == 200 else { throw TestFailure("a read returned status \(response.status)") }
        return response.values
    }

    /// Returns the ids of all characteristics, by accessory, service and type.
    func characteristicIDs() throws -> [String: CharacteristicID] {
        let response = try request(HTTPRequest(.get, .accessories))
        guard response.status == 200 else { throw TestFailure("/accessories returned status \(response.status)") }
        var ids: [String: CharacteristicID] = [:]
        for accessory in try JSONValue(parsing: response.body).object?["accessories"]?.array ?? [] {
            guard let aid = accessory.object?["aid"]?.unsigned else { continue }
            for service in accessory.object?["services"]?.array ?? [] {
                let serviceType = service.object?["type"]?.string ?? "?"
                for characteristic in service.object?["characteristics"]?.array ?? [] {
                    guard let iid = characteristic.object?["iid"]?.unsigned, let id = CharacteristicID(aid, iid) else {
                        continue
                    }
                    let type = characteristic.object?["type"]?.string ?? "?"
                    guard ids.updateValue(id, forKey: "\(aid)/\(serviceType)/\(type)") == nil else {
                        throw TestFailure("/accessories contains \(type) twice in \(aid)/\(serviceType)")
                    }
                }
            }
        }
        return ids
    }
}
