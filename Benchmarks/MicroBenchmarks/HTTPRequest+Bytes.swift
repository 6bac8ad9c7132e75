import HAPCore

extension HTTPRequest {
    /// The request as it is sent, before encryption.
    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        append(to: &bytes, host: "127.0.0.1")
        return bytes
    }
}
