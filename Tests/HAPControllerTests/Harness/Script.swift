import HAPCore
import TestSupport

/// How a scripted accessory behaves: well, until it is told otherwise.
struct Script: Sendable {
    /// Who it is.
    var identity = Fixture.accessory
    /// Whether it signs M6 with another key than it shows.
    var forgesM6 = false
    /// The controllers that it knows.
    var pairings: [Pairing] = [Fixture.pairing]
    /// Whether every byte is sent by itself.
    var sendsSingleBytes = false
    /// Its database.
    var database = Script.lamp
    /// What it does in place of an answer; a well-behaved one sends it.
    var respond: @Sendable (HTTPRequest, HTTPResponse) -> [ScriptStep] = { _, response in [.message(response.bytes)] }

    /// A lamp: 1.9 is On, 1.10 Brightness, 1.11 a timed number.
    static let lamp = """
        {"accessories":[{"aid":1,"services":[{"iid":8,"type":"43","characteristics":[
        {"iid":9,"type":"25","format":"bool","perms":["pr","pw","ev"],"value":0},
        {"iid":10,"type":"8","format":"int","perms":["pr","pw","ev"],"value":50},
        {"iid":11,"type":"22220000-0000-4000-8000-000000000001","format":"uint8","perms":["pr","pw","tw"],"value":1}
        ]}]}]}
        """

    /// A script that does something else with answers of one kind.
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
    /// The response as it travels.
    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return bytes
    }
}

extension HTTPEvent {
    /// An event about one characteristic of the lamp, as it travels.
    static func bytes(iid: Int, value: String) -> [UInt8] {
        var bytes: [UInt8] = []
        let body = #"{"characteristics":[{"aid":1,"iid":\#(iid),"value":\#(value)}]}"#
        HTTPEvent(body: Array(body.utf8)).append(to: &bytes)
        return bytes
    }
}
