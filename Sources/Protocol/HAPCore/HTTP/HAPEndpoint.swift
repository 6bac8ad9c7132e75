/// A path that an accessory server knows.
///
/// HAP: §10
package enum HAPEndpoint: String, Sendable, Hashable, CaseIterable {
    case identify = "/identify"
    case pairSetup = "/pair-setup"
    case pairVerify = "/pair-verify"
    case pairings = "/pairings"
    case accessories = "/accessories"
    case characteristics = "/characteristics"
    case prepare = "/prepare"
    case resource = "/resource"
    case secureMessage = "/secure-message"
    case configured = "/configured"

    /// Finds the endpoint of a path without a query; the comparison is case-sensitive.
    package init?(path: Span<UInt8>) {
        // The length and the second byte leave only one candidate, so that a path is compared once.
        let candidate: HAPEndpoint
        switch path.count {
        case 8: candidate = .prepare
        case 9 where path[1] == UInt8(ascii: "i"): candidate = .identify
        case 9 where path[1] == UInt8(ascii: "p"): candidate = .pairings
        case 9: candidate = .resource
        case 11: candidate = path[1] == UInt8(ascii: "p") ? .pairSetup : .configured
        case 12: candidate = path[1] == UInt8(ascii: "a") ? .accessories : .pairVerify
        case 15: candidate = .secureMessage
        case 16: candidate = .characteristics
        default: return nil
        }
        guard path.isEqual(to: candidate.path.utf8) else { return nil }
        self = candidate
    }

    /// Finds the endpoint of a path without a query; the comparison is case-sensitive.
    package init?(path: [UInt8]) {
        self.init(path: path.span)
    }

    /// The path.
    package var path: String { rawValue }
}

/// The media types of this protocol.
///
/// HAP: §10
package enum HTTPContentType: Sendable, Hashable, CaseIterable {
    case pairingTLV8
    case hapJSON

    /// Recognizes a type in any letter case; parameters after a semicolon are ignored.
    init?(_ value: Span<UInt8>) {
        var end = 0
        while end < value.count, value[end] != UInt8(ascii: ";"), value[end] != UInt8(ascii: " ") {
            end += 1
        }
        let type = value.extracting(0..<end)
        for candidate in Self.allCases where type.isEqual(ignoringCase: candidate.text) {
            self = candidate
            return
        }
        return nil
    }

    /// The Content-Type header and the name of the Content-Length header after it.
    var headerPrefix: StaticString {
        switch self {
        case .pairingTLV8: "Content-Type: application/pairing+tlv8\r\nContent-Length: "
        case .hapJSON: "Content-Type: application/hap+json\r\nContent-Length: "
        }
    }

    /// The type as it is written in a header.
    package var text: StaticString {
        switch self {
        case .pairingTLV8: "application/pairing+tlv8"
        case .hapJSON: "application/hap+json"
        }
    }
}
