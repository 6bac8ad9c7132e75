package import HAPCore

/// Requests like those of controllers.
package enum RequestSeeds {
    /// The requests as they are sent unencrypted.
    package static var plain: [String: [UInt8]] {
        requests.mapValues { request in
            var bytes: [UInt8] = []
            request.append(to: &bytes, host: "Kilgo._hap._tcp.local")
            return bytes
        }
    }

    package static var requests: [String: HTTPRequest] {
        let address = CharacteristicAddress(aid: 1, iid: 19)
        let write = CharacteristicWriteRequest([
            CharacteristicWriteItem(address, value: true, ev: true),
            CharacteristicWriteItem(CharacteristicAddress(aid: 1, iid: 20), value: 50, authData: "AQID", r: true),
        ])
        var timed = write
        timed.pid = 11_122_333
        let read = CharacteristicReadRequest([address, CharacteristicAddress(aid: 1, iid: 99)], options: .meta)
        var full = read
        full.options = [.meta, .perms, .type, .ev]
        return [
            "identify": HTTPRequest(.post, .identify),
            "accessories": HTTPRequest(.get, .accessories),
            "read": HTTPRequest(.get, .characteristics, query: read.query),
            "read-all": HTTPRequest(.get, .characteristics, query: full.query),
            "write": HTTPRequest(.put, .characteristics, body: write.body),
            "timed-write": HTTPRequest(.put, .characteristics, body: timed.body),
            "prepare": HTTPRequest(.put, .prepare, body: PrepareRequest(ttl: 5_000, pid: 11_122_333).body),
            "pairings": HTTPRequest(.post, .pairings, body: PairingsController.listMessage()),
            "resource": HTTPRequest(
                .post,
                .resource,
                body: Array("{\"resource-type\":\"image\",\"image-width\":320,\"image-height\":240}".utf8)
            ),
            "unknown": HTTPRequest(.other, path: "/nothing", query: Array("a=b".utf8)),
        ]
    }
}
