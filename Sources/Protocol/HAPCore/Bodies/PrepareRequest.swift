/// A request `PUT /prepare`, which announces one timed write.
///
/// HAP: §13
package struct PrepareRequest: Sendable, Hashable {
    /// The time within which the write must arrive, in milliseconds: at most 2⁵³−1.
    package var ttl: UInt64
    /// The number that the write will carry.
    package var pid: UInt64

    /// The longest time: 2⁵³−1 milliseconds.
    package static let maximumTTL: UInt64 = 1 << 53 - 1

    package init(ttl: UInt64, pid: UInt64) {
        self.ttl = ttl
        self.pid = pid
    }

    /// Reads the body of a request.
    ///
    /// Unknown keys are ignored.
    ///
    /// - Throws: `ProtocolError` when the body is not a JSON object, or a number is missing or out of range.
    package init(parsing body: [UInt8], limits: JSONLimits = .prepareRequest) throws(ProtocolError) {
        let object = try JSONValue(parsing: body, limits: limits).object
        guard let ttl = object?["ttl"]?.unsigned, ttl <= Self.maximumTTL, let pid = object?["pid"]?.unsigned else {
            throw ProtocolError(.json, "ttl or pid is missing or out of range", at: "PUT /prepare")
        }
        self.init(ttl: ttl, pid: pid)
    }

    /// The body of the request.
    package var body: [UInt8] {
        var writer = JSONWriter(reservingBytes: 48, escaping: .required)
        writer.object { writer in
            writer.member("ttl", ttl)
            writer.member("pid", pid)
        }
        return writer.finish()
    }
}
