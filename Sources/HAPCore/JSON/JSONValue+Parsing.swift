extension JSONValue {
    /// Reads a JSON text.
    ///
    /// - Throws: `ProtocolError` with code `json` for what is not JSON, `tooLarge` for what is beyond the limits.
    package init(parsing text: Span<UInt8>, limits: JSONLimits = JSONLimits()) throws(ProtocolError) {
        var reader = JSONReader(limits: limits)
        self = try reader.readDocument(text)
    }

    /// Reads a JSON text.
    ///
    /// - Throws: `ProtocolError` with code `json` for what is not JSON, `tooLarge` for what is beyond the limits.
    package init(parsing text: [UInt8], limits: JSONLimits = JSONLimits()) throws(ProtocolError) {
        try self.init(parsing: text.span, limits: limits)
    }

    /// Reads a JSON text that lies in memory that the caller holds.
    ///
    /// - Throws: `ProtocolError` with code `json` for what is not JSON, `tooLarge` for what is beyond the limits.
    package init(parsing text: UnsafeRawBufferPointer, limits: JSONLimits = JSONLimits()) throws(ProtocolError) {
        let octets = text.assumingMemoryBound(to: UInt8.self)
        try self.init(parsing: octets.span, limits: limits)
    }
}
