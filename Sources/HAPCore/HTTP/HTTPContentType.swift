/// The media types of this protocol.
///
/// HAP: §10
package enum HTTPContentType: Sendable, Hashable, CaseIterable {
    case pairingTLV8
    case hapJSON
    case jpeg

    /// Recognises a type in any letter case; parameters after a semicolon are ignored.
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

    /// The header, and the beginning of the one that goes behind it.
    var headerAndLengthName: StaticString {
        switch self {
        case .pairingTLV8: "Content-Type: application/pairing+tlv8\r\nContent-Length: "
        case .hapJSON: "Content-Type: application/hap+json\r\nContent-Length: "
        case .jpeg: "Content-Type: image/jpeg\r\nContent-Length: "
        }
    }

    /// The type as a header carries it.
    package var text: StaticString {
        switch self {
        case .pairingTLV8: "application/pairing+tlv8"
        case .hapJSON: "application/hap+json"
        case .jpeg: "image/jpeg"
        }
    }
}
