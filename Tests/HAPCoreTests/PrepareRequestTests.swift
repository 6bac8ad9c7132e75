import HAPCore
import Testing

struct PrepareRequestTests {
    @Test(arguments: [(0, 0), (1, .max), (PrepareRequest.maximumTTL, 7)] as [(UInt64, UInt64)])
    func aWrittenBodyIsReadBack(ttl: UInt64, pid: UInt64) throws {
        let request = PrepareRequest(ttl: ttl, pid: pid)
        #expect(String(decoding: request.body, as: UTF8.self) == #"{"ttl":\#(ttl),"pid":\#(pid)}"#)
        #expect(try PrepareRequest(parsing: request.body) == request)
    }

    @Test func theLongestTimeIsJustBelow2To53() {
        #expect(PrepareRequest.maximumTTL == 9_007_199_254_740_991)
    }

    @Test func unknownKeysAreIgnored() throws {
        #expect(
            try PrepareRequest(parsing: Array(#"{"a":[],"pid":2,"ttl":1.0}"#.utf8)) == PrepareRequest(ttl: 1, pid: 2)
        )
    }

    @Test(arguments: [
        "", "{}", "[]", "1", #"{"ttl":1}"#, #"{"pid":1}"#, #"{"ttl":9007199254740992,"pid":1}"#, #"{"ttl":-1,"pid":1}"#,
        #"{"ttl":1.5,"pid":1}"#, #"{"ttl":"1","pid":1}"#, #"{"ttl":1,"pid":-1}"#,
        #"{"ttl":1,"pid":18446744073709551616}"#,
        #"{"ttl":1,"pid":null}"#, #"{"ttl":1,"pid":1}."#, #"{"ttl":true,"pid":1}"#,
    ])
    func bothNumbersAreNeeded(body: String) {
        #expect(throws: ProtocolError.self) { try PrepareRequest(parsing: Array(body.utf8)) }
    }
}
