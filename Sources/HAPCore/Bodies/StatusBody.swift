/// The body of a response that concerns a whole JSON request: `{"status":…}`.
///
/// HAP: §10, §13
package enum StatusBody {
    /// The body.
    package static func bytes(of status: HAPStatus) -> [UInt8] {
        var writer = JSONWriter(reservingBytes: 20, escaping: .required)
        writer.beginObject()
        writer.key(plain: "status")
        writer.value(Int64(status.rawValue))
        writer.endObject()
        return writer.finish()
    }
}
