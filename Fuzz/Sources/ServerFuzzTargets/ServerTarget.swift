import AccessoryModel
import FuzzHarness
import HAPCore
import NIOCore
import TestSupport

/// A complete server without a socket, from the bytes of its connections to the bytes of its responses.
///
/// An input contains plaintext from controllers, which the harness encrypts within a session. The byte 0xFF begins a
/// command to the environment. Two bytes 0xFF represent a single one.
enum ServerTarget: FuzzTarget {
    static let name = "server"

    private enum Command: UInt8, CaseIterable {
        case `switch`, advance, advanceLong, toggleReading, reconnect, raw, setValue, setText, behavior, toggleStore,
            pause, toggleGate, replace, fill
    }

    private static let escape: UInt8 = 0xFF
    /// The number of spaces per unit of the command `fill`, which makes requests larger than the input.
    private static let fillUnit = 64
    private static let maximumFills = 4
    private static let sites = FuzzServers()

    static func run(_ input: [UInt8]) {
        var source = ByteSource(input)
        let run = FuzzServerRun(FuzzServerRun.Options(rawValue: source.byte()), Cuts(source.byte()), sites)
        var text: [UInt8] = []
        var isRaw = false
        var commands = 0
        var fills = 0
        func flush() {
            isRaw ? run.sendRaw(text) : run.send(text)
            text = []
            isRaw = false
        }
        while !source.isEmpty, commands < 32 {
            let byte = source.byte()
            guard byte == escape else {
                text.append(byte)
                continue
            }
            let command = source.byte()
            guard command != escape else {
                text.append(escape)
                continue
            }
            flush()
            commands += 1
            switch Command(rawValue: command % UInt8(Command.allCases.count)) {
            case .switch: run.switchConnection()
            case .advance: run.advance(by: .milliseconds(Int64(source.byte()) * 10))
            case .advanceLong: run.advance(by: .seconds(Int64(source.byte())))
            case .toggleReading: run.toggleReading()
            case .reconnect: run.reconnect()
            case .raw: isRaw = true
            case .setValue: run.setValue(.integer(source.byte()), of: UInt64(source.byte() % 64))
            case .setText: run.setValue(.string("a"), of: UInt64(source.byte() % 64))
            case .behavior: run.perform([.stop, .obstruct, .clearObstruction][Int(source.byte() % 3)])
            case .toggleStore: run.toggleStore()
            case .toggleGate: run.toggleGate()
            case .replace: run.replaceAccessory()
            case .fill:
                fills += 1
                guard fills <= maximumFills else { break }
                text = [UInt8](repeating: UInt8(ascii: " "), count: Int(source.byte()) * fillUnit)
            case .pause, nil: break
            }
        }
        flush()
        run.finish()
    }
}

// MARK: - Seeds

extension ServerTarget {
    static var seeds: [String: [UInt8]] {
        var seeds: [String: [UInt8]] = [:]
        for (name, bytes) in RequestSeeds.plain {
            seeds["clear-\(name)"] = [0, 5] + bytes
            seeds["session-\(name)"] = [2, 5] + bytes
            seeds["guest-\(name)"] = [6, 5] + bytes
        }
        let all = RequestSeeds.plain.sorted { $0.key < $1.key }.flatMap { $0.value }
        seeds["pipelined"] = [2, 77] + all
        seeds["dripped"] = [2, 0] + (RequestSeeds.plain["write"] ?? [])
        seeds["unpaired-identify"] = [1, 5] + (RequestSeeds.plain["identify"] ?? [])
        for iid in UInt64(1)...50 {
            seeds["write-\(iid)"] = [34, 5] + write(iid, value: 1) + [escape, 0] + read(iid)
        }
        for (number, value) in oddValues.enumerated() {
            let items = (UInt64(11)...44)
                .map { CharacteristicWriteItem(CharacteristicAddress(aid: 1, iid: $0), value: value) }
            seeds["odd-\(number)"] = [34, 5] + put(.characteristics, CharacteristicWriteRequest(items).body)
        }
        for ttl in [0, 1, PrepareRequest.maximumTTL] {
            seeds["prepare-\(ttl)"] = [2, 5] + put(.prepare, PrepareRequest(ttl: ttl, pid: 0).body) + read(19)
        }
        seeds["events"] =
            [10, 9] + write(19, value: nil) + [escape, 0] + write(19, value: 0) + [escape, 1, 120, escape, 0]
            + read(19) + [escape, 2, 20]
        seeds["not-reading"] = [2, 9, escape, 3] + read(9) + read(19) + [escape, 3]
        // More requests than the server handles in one turn.
        seeds["at-once"] = [2, 9, escape, 3] + Array(repeating: read(9), count: 12).flatMap { $0 } + [escape, 3]
        seeds["reported"] = [2, 9] + write(20, value: nil) + [escape, 6, 1, 20, escape, 1, 255]
        seeds["behavior"] = [2, 9] + write(13, value: 0) + [escape, 2, 3, escape, 8, 1, escape, 2, 60, escape, 8, 2]
        seeds["timed"] =
            [2, 9] + (RequestSeeds.plain["prepare"] ?? []) + (RequestSeeds.plain["timed-write"] ?? [])
            + [escape, 2, 9] + (RequestSeeds.plain["timed-write"] ?? [])
        seeds["remove-self"] = [2, 9] + pairings(PairingsController.removeMessage(Fixture.controller.identifier))
        seeds["remove-guest"] =
            [14, 9, escape, 0] + pairings(PairingsController.removeMessage(Fixture.identifier("guest")))
        seeds["add"] = [2, 9] + pairings(PairingsController.addMessage(Fixture.pairing(number: 9, isAdmin: true)))
        seeds["store-fails"] = [2, 9, escape, 9] + (seeds["add"] ?? []).dropFirst(2)
        seeds["raw-in-session"] = [2, 9, escape, 5, 1, 0, 2, 3] + read(9)
        let slow = read(43)
        seeds["slow-handler"] = [2, 9, escape, 11] + slow + [escape, 2, 4] + slow + [escape, 2, 9, escape, 11] + slow
        seeds["slow-replaced"] = [2, 9, escape, 11] + write(43, value: 3) + [escape, 12] + slow + [escape, 11]
        seeds["replaced"] = [2, 9] + write(27, value: nil) + [escape, 12] + read(27) + [escape, 6, 1, 27, escape, 12]
        seeds["reconnect"] = [2, 9] + read(9) + [escape, 4] + read(9)
        for (name, hex) in [("m1", Vectors.all.pairVerify.M1), ("m3", Vectors.all.pairVerify.M3)] {
            seeds["pair-verify-\(name)"] = [0, 9] + message(HTTPRequest(.post, .pairVerify, body: [UInt8](hex: hex)))
        }
        for (name, hex) in [("m1", Vectors.all.pairSetup.M1), ("m3", Vectors.all.pairSetup.M3)] {
            let message = message(HTTPRequest(.post, .pairSetup, body: [UInt8](hex: hex)))
            seeds["pair-setup-\(name)"] = [0, 9] + message
            seeds["unpaired-pair-setup-\(name)"] = [1, 9] + (name == "m1" ? [] : pairSetupStart) + message
        }
        // Unverified connections next to a session, whose requests also have their turn.
        let strangers = (seeds["pair-verify-m1"] ?? []).dropFirst(2) + (RequestSeeds.plain["identify"] ?? []) + read(9)
        seeds["waiting"] = [2, 5, escape, 0] + strangers + strangers + [escape, 0] + all + [escape, 0] + strangers
        let large = Array("POST /pair-setup HTTP/1.1\r\nContent-Length: 13000\r\n\r\n".utf8) + [escape, 13, 200]
        seeds["clear-large"] = [0, 5] + large + [escape, 0] + large + [escape, 2, 20]
        let item = Array("{\"characteristics\":[{\"aid\":1,\"iid\":27,\"value\":1}]".utf8)
        let head = "PUT /characteristics HTTP/1.1\r\nContent-Length: \(item.count + 255 * fillUnit + 1)\r\n\r\n"
        seeds["session-large"] = [2, 5] + Array(head.utf8) + item + [escape, 13, 255] + Array("}".utf8) + read(27)
        for size in [HTTPLimits.unverified.maximumBodyBytes, HTTPLimits.unverified.maximumBodyBytes + 1] {
            let head = Array("POST /pair-verify HTTP/1.1\r\nContent-Length: \(size)\r\n\r\n".utf8)
            seeds["clear-body-\(size)"] = [0, 5] + head + [escape, 2, 9, escape, 2, 9]
        }
        return seeds
    }

    private static let pairSetupStart = message(
        HTTPRequest(.post, .pairSetup, body: [UInt8](hex: Vectors.all.pairSetup.M1))
    )

    /// Values that are valid for some formats and not for others.
    private static let oddValues: [JSONValue] = [
        .null, false, 0, -1, 0.5, -0.25, 100, 256, 65_536, 4_294_967_296, 1e300, .number(.unsigned(.max)), "", "AQID",
        "not Base64", .string(String(repeating: "é", count: 33)), [], .object(JSONObject()),
    ]

    private static func put(_ endpoint: HAPEndpoint, _ body: [UInt8]) -> [UInt8] {
        message(HTTPRequest(.put, endpoint, body: body))
    }

    private static func write(_ iid: UInt64, value: JSONValue?) -> [UInt8] {
        let item = CharacteristicWriteItem(CharacteristicAddress(aid: 1, iid: iid), value: value, ev: true)
        return put(.characteristics, CharacteristicWriteRequest([item]).body)
    }

    private static func read(_ iid: UInt64) -> [UInt8] {
        let request = CharacteristicReadRequest([CharacteristicAddress(aid: 1, iid: iid)], options: [.ev, .meta])
        return message(HTTPRequest(.get, .characteristics, query: request.query))
    }

    private static func pairings(_ body: [UInt8]) -> [UInt8] {
        message(HTTPRequest(.post, .pairings, body: body))
    }

    private static func message(_ request: HTTPRequest) -> [UInt8] {
        var bytes: [UInt8] = []
        request.append(to: &bytes, host: "fuzz")
        return bytes.flatMap { $0 == escape ? [escape, escape] : [$0] }
    }
}
