extension JSONValue {
    /// Parses a JSON text.
    ///
    /// - Throws: `ProtocolError` with code `json` for invalid JSON, `tooLarge` for a text beyond the limits.
    package init(parsing text: Span<UInt8>, limits: JSONLimits = JSONLimits()) throws(ProtocolError) {
        var reader = JSONReader(limits: limits)
        self = try reader.readDocument(text)
    }

    /// Parses a JSON text.
    ///
    /// - Throws: `ProtocolError` with code `json` for invalid JSON, `tooLarge` for a text beyond the limits.
    package init(parsing text: [UInt8], limits: JSONLimits = JSONLimits()) throws(ProtocolError) {
        try self.init(parsing: text.span, limits: limits)
    }

    /// Parses a JSON text in memory that the caller owns.
    ///
    /// - Throws: `ProtocolError` with code `json` for invalid JSON, `tooLarge` for a text beyond the limits.
    package init(parsing text: UnsafeRawBufferPointer, limits: JSONLimits = JSONLimits()) throws(ProtocolError) {
        let octets = text.assumingMemoryBound(to: UInt8.self)
        try self.init(parsing: octets.span, limits: limits)
    }
}
