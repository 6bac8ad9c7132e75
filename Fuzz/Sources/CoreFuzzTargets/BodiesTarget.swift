import FuzzHarness
import HAPCore

/// The bodies and queries of the endpoints, and a controller's decoding of their responses.
enum BodiesTarget: FuzzTarget {
    static let name = "bodies"

    /// The first byte of an input.
    private enum Kind: UInt8, CaseIterable {
        case read, write, prepare, answer
    }

    static var seeds: [String: [UInt8]] {
        var seeds: [String: [UInt8]] = [:]
        for (name, request) in RequestSeeds.requests {
            let kind: Kind =
                request.endpoint == .prepare ? .prepare : request.query.isEmpty ? .write : .read
            seeds[name] = [kind.rawValue] + (request.query.isEmpty ? request.body : request.query)
        }
        let texts: [(Kind, String, String)] = [
            (.read, "escaped", "meta=0&id=1%2E2%2c18446744073709551615.0&type=true&x=%41&ev=1&perms=false&&a"),
            (.write, "flags", #"{"characteristics":[{"aid":1,"iid":2,"ev":1,"remote":0,"r":true},{"iid":2,"aid":1}]}"#),
            (
                .write, "values",
                #"{"characteristics":[{"aid":1,"iid":2,"value":null},{"aid":2,"iid":3,"value":"x"}],"x":[]}"#
            ),
            (
                .answer, "multi",
                #"{"characteristics":[{"aid":1,"iid":2,"status":-70402},{"aid":1,"iid":3,"value":[1]}]}"#
            ),
            (.answer, "without-ids", #"{"characteristics":[{"status":0},{"status":-70402}]}"#),
            (.answer, "status", #"{"status":-70401}"#),
        ]
        for (kind, name, text) in texts {
            seeds[name] = [kind.rawValue] + Array(text.utf8)
        }
        return seeds
    }

    static func run(_ input: [UInt8]) {
        var source = ByteSource(input)
        let kind = Kind(rawValue: source.byte() % UInt8(Kind.allCases.count)) ?? .read
        let body = source.remainder()
        switch kind {
        case .read: checkRead(body)
        case .write: checkWrite(body)
        case .prepare: checkPrepare(body)
        case .answer: checkAnswer(body)
        }
    }

    private static func checkRead(_ query: [UInt8]) {
        guard let request = try? CharacteristicReadRequest(query: query) else { return }
        claim(
            1...CharacteristicReadRequest.maximumCount ~= request.addresses.count,
            "a read names some characteristics"
        )
        // An address has at least three bytes, and a comma separates two addresses.
        claim(request.addresses.count <= (query.count + 1) / 4 + 1, "a read names what was sent")
        claim((try? CharacteristicReadRequest(query: request.query)) == request, "a query is read as it is written")
    }

    private static func checkWrite(_ body: [UInt8]) {
        guard let request = try? CharacteristicWriteRequest(parsing: body) else { return }
        claim((try? CharacteristicWriteRequest(parsing: request.body)) == request, "a write is read as it is written")
        let isUnique = Set(request.items.map(\.address)).count == request.items.count
        claim(request.hasDuplicates != isUnique, "a characteristic that is named twice is noticed")
        for item in request.items {
            guard case .data(let bytes) = item.authorization else { continue }
            claim(Base64.encode(bytes) == item.authData, "authorization data is the same when it is encoded again")
        }
    }

    private static func checkPrepare(_ body: [UInt8]) {
        guard let request = try? PrepareRequest(parsing: body) else { return }
        claim(request.ttl <= PrepareRequest.maximumTTL, "a time is within its limit")
        claim((try? PrepareRequest(parsing: request.body)) == request, "an announcement is read as it is written")
    }

    private static func checkAnswer(_ body: [UInt8]) {
        guard let response = try? CharacteristicResponse(parsing: body), response.status == nil else { return }
        var writer = CharacteristicResponseWriter()
        for item in response.items {
            writer.beginItem(item.address)
            if let status = item.status {
                writer.json.key(plain: "status")
                writer.json.value(status)
            }
            if let value = item.value {
                writer.json.key(plain: "value")
                writer.json.value(value)
            }
            if let ev = item.ev {
                writer.json.key(plain: "ev")
                writer.json.value(ev)
            }
            writer.endItem()
        }
        let written = writer.finish()
        let items = (try? CharacteristicResponse(parsing: written))?.items
        claim(items == response.items, "an answer is read as it is written")
        claim(response.items.isEmpty || response.statusesWithoutIDs.isEmpty, "statuses without ids are only read alone")
    }
}
