import FuzzHarness
import HAPCore

/// Requests: the same whole and in pieces, within the limits, and the same when written and read again.
enum HTTPRequestTarget: FuzzTarget {
    static let name = "http-request"

    static var seeds: [String: [UInt8]] {
        var seeds: [String: [UInt8]] = [:]
        for (name, bytes) in RequestSeeds.plain {
            seeds[name] = [0, 0] + bytes
            seeds["\(name)-pieces"] = [1, 7] + bytes
        }
        let chunked = "PUT /prepare HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"
        seeds["chunked"] = [0, 3] + Array(chunked.utf8)
        seeds["empty-lines"] = [0, 9] + Array("\r\n\r\nGET /accessories HTTP/1.1\r\nhOST:\t x \r\n\r\n".utf8)
        return seeds
    }

    static func run(_ input: [UInt8]) {
        var source = ByteSource(input)
        let limits = limits(source.byte())
        let cuts = Cuts(source.byte())
        let bytes = source.remainder()
        let whole = HTTPStream<HTTPRequest>.requests(bytes, cut: nil, limits: limits)
        let pieces = HTTPStream<HTTPRequest>.requests(bytes, cut: cuts, limits: limits)
        claim(whole == pieces, "requests are the same whole and in pieces")
        for request in whole.messages {
            check(request, limits)
        }
    }

    /// Returns limits, some of which are so small that small inputs reach them.
    private static func limits(_ selector: UInt8) -> HTTPLimits {
        switch selector % 3 {
        case 0: .unverified
        case 1: .verified
        default: HTTPLimits(maximumHeadBytes: 100, maximumBodyBytes: 40)
        }
    }

    private static func check(_ request: HTTPRequest, _ limits: HTTPLimits) {
        claim(request.body.count <= limits.maximumBodyBytes, "a body is within its limit")
        claim(
            request.unknownPath.utf8.count + request.query.count <= limits.maximumHeadBytes,
            "a target is within its limit"
        )
        claim((request.endpoint == nil) || request.unknownPath.isEmpty, "a known path is known by its name")
        // A request target that is only a query cannot be written.
        guard request.endpoint != nil || !request.unknownPath.isEmpty else { return }
        var bytes: [UInt8] = []
        request.append(to: &bytes, host: "127.0.0.1")
        let again = HTTPStream<HTTPRequest>.requests(bytes, cut: nil, limits: .verified)
        claim(again.messages == [request] && again.failure == nil, "a request is read as it is written")
        claim(!again.isMidMessage, "a request is written without anything behind it")
    }
}
