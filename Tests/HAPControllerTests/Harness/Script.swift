import HAPCore
import TestSupport

/// The behavior of a scripted accessory, which follows the protocol except where a test changes it.
struct Script: Sendable {
    /// The identity of the accessory.
    var identity = Fixture.accessory
    /// Whether the accessory signs M6 with a key other than the one that it contains.
    var forgesM6 = false
    /// The pairings of the accessory.
    var pairings: [Pairing] = [Fixture.pairing]
    /// Whether the accessory sends each byte separately.
    var sendsSingleBytes = false
    /// The body of the response to `GET /accessories`.
    var database = Script.lamp
    /// Returns what the accessory does instead of sending the response; the default sends it.
    var respond: @Sendable (HTTPRequest, HTTPResponse) -> [ScriptStep] = { _, response in [.message(response.bytes)] }

    /// The database of a lamp: 1.9 is On, 1.10 is Brightness, and 1.11 is a number that requires timed writes.
    static let lamp = """
        {"accessories":[{"aid":1,"services":[{"iid":8,"type":"43","characteristics":[
        {"iid":9,"type":"25","format":"bool","perms":["pr","pw","ev"],"value":0},
        {"iid":10,"type":"8","format":"int","perms":["pr","pw","ev"],"value":50},
        {"iid":11,"type":"22220000-0000-4000-8000-000000000001","format":"uint8","perms":["pr","pw","tw"],"value":1}
        ]}]}]}
        """

    /// Returns a script that replaces the responses of one endpoint.
    static func responding(
        to endpoint: HAPEndpoint,
        with answer: @escaping @Sendable (HTTPResponse) -> [ScriptStep]
    ) -> Script {
        var script = Script()
        script.respond = { request, response in
            request.endpoint == endpoint ? answer(response) : [.message(response.bytes)]
        }
        return script
    }
}

extension HTTPResponse {
    /// The serialized response.
    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return bytes
    }
}

extension HTTPEvent {
    /// Returns a serialized event about one characteristic of the lamp.
    static func bytes(iid: Int, value: String) -> [UInt8] {
        var bytes: [UInt8] = []
        let body = #"{"characteristics":[{"aid":1,"iid":\#(iid),"value":\#(value)}]}"#
        HTTPEvent(body: Array(body.utf8)).append(to: &bytes)
        return bytes
    }
}
