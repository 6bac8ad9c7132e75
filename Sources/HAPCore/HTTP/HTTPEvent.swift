/// An event message: looks like a response, answers nothing.
///
/// HAP: §14
package struct HTTPEvent: Sendable, Hashable {
    /// A JSON text.
    package var body: [UInt8]

    package init(body: [UInt8]) {
        self.body = body
    }

    /// Appends the message as it travels.
    package func append(to bytes: inout [UInt8]) {
        if bytes.isEmpty {
            bytes.reserveCapacity(128 + body.count)
        }
        bytes.append("EVENT/1.0 200 OK\r\nContent-Type: application/hap+json\r\nContent-Length: ")
        bytes.appendDecimal(UInt64(body.count))
        bytes.append("\r\n\r\n")
        bytes.append(contentsOf: body)
    }
}
