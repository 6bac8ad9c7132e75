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

    /// Finds the endpoint of a path, without a query.
    ///
    /// Letter case counts.
    package init?(path: Span<UInt8>) {
        // The length tells nearly all of them apart, so that a known path is compared once.
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

    /// Finds the endpoint of a path, without a query.
    ///
    /// Letter case counts.
    package init?(path: [UInt8]) {
        self.init(path: path.span)
    }

    /// The path.
    package var path: String { rawValue }
}
