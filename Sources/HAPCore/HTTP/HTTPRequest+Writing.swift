extension HTTPRequest {
    /// Appends the request as it travels.
    ///
    /// - Parameter host: the accessory's address or name; characters that a header cannot carry become `?`.
    package func append(to bytes: inout [UInt8], host: String) {
        bytes.append(method.token)
        bytes.append(UInt8(ascii: " "))
        if let endpoint {
            bytes.append(contentsOf: endpoint.path.utf8)
        } else {
            Self.appendVisible(path.utf8, to: &bytes)
        }
        if !query.isEmpty {
            bytes.append(UInt8(ascii: "?"))
            Self.appendVisible(query, to: &bytes)
        }
        bytes.append(" HTTP/1.1\r\nHost: ")
        Self.appendVisible(host.utf8, to: &bytes)
        bytes.append("\r\n")
        if let contentType, !body.isEmpty {
            bytes.append("Content-Type: ")
            bytes.append(contentType.text)
            bytes.append("\r\n")
        }
        if method != .get || !body.isEmpty {
            bytes.append("Content-Length: ")
            bytes.appendDecimal(UInt64(body.count))
            bytes.append("\r\n")
        }
        bytes.append("\r\n")
        bytes.append(contentsOf: body)
    }

    private var contentType: HTTPContentType? {
        switch endpoint {
        case .pairSetup, .pairVerify, .pairings: .pairingTLV8
        case .identify, .accessories, .characteristics, .prepare, .resource: .hapJSON
        case .secureMessage, .configured, nil: nil
        }
    }

    /// A name that discovery found may hold anything; a line break in it would begin another header.
    private static func appendVisible(_ text: some Sequence<UInt8>, to bytes: inout [UInt8]) {
        for byte in text {
            bytes.append(0x21...0x7E ~= byte ? byte : UInt8(ascii: "?"))
        }
    }
}
