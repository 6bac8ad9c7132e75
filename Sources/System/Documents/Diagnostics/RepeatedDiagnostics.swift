/// A collection of diagnostics that keeps only the first few warnings of each kind and counts the others.
///
/// Two warnings are of the same kind if they are about the same file and their texts differ only in numbers and quoted
/// texts. All errors are kept, because each one must be corrected. A diagnostic that already represents several others
/// is unchanged.
package struct RepeatedDiagnostics {
    private var entries: [(diagnostic: Diagnostic, kind: Int?)] = []
    private var kinds: [Kind: Int] = [:]
    private var tallies: [Tally] = []
    /// The number of warnings that were omitted because there were too many kinds.
    private(set) var omitted = 0

    /// The maximum number of warnings of one kind that are shown.
    private static let maximumShown = 3
    /// The maximum number of kinds of warnings that are shown.
    private static let maximumKinds = 100

    private struct Kind: Hashable {
        let file: String
        let reason: String
    }

    private struct Tally {
        var count = 0
        var latest: Diagnostic
    }

    package init(_ findings: [Diagnostic] = []) {
        for diagnostic in findings {
            add(diagnostic)
        }
    }

    package mutating func add(_ diagnostic: Diagnostic) {
        guard diagnostic.severity == .warning, diagnostic.count == 1 else {
            entries.append((diagnostic, nil))
            return
        }
        let kind = Kind(file: diagnostic.file, reason: diagnostic.reason.withoutNumbersAndQuotes)
        guard let index = kinds[kind] ?? addKind(kind, diagnostic) else {
            omitted += 1
            return
        }
        tallies[index].count += 1
        tallies[index].latest = diagnostic
        if tallies[index].count <= Self.maximumShown {
            entries.append((diagnostic, index))
        }
    }

    /// Sorts the visible diagnostics; equal ones stay in their order.
    package mutating func sort(by areInIncreasingOrder: (Diagnostic, Diagnostic) -> Bool) {
        entries.sort { areInIncreasingOrder($0.diagnostic, $1.diagnostic) }
    }

    private mutating func addKind(_ kind: Kind, _ diagnostic: Diagnostic) -> Int? {
        guard tallies.count < Self.maximumKinds else { return nil }
        kinds[kind] = tallies.count
        tallies.append(Tally(latest: diagnostic))
        return tallies.count - 1
    }

    /// The diagnostics in their order; after the last one of a kind, there is one with the number of those that are not
    /// shown.
    package var diagnostics: [Diagnostic] {
        var shown = Array(repeating: 0, count: tallies.count)
        var result: [Diagnostic] = []
        for (diagnostic, kind) in entries {
            result.append(diagnostic)
            guard let kind else { continue }
            shown[kind] += 1
            let rest = tallies[kind].count - Self.maximumShown
            guard shown[kind] == Self.maximumShown, rest > 0 else { continue }
            guard rest > 1 else {
                result.append(tallies[kind].latest)
                continue
            }
            var more = diagnostic
            more.position = nil
            more.path = ""
            more.reason = "… and \(rest) more like it: \(diagnostic.reason)"
            more.count = rest
            result.append(more)
        }
        if omitted > 0, let file = entries.last?.diagnostic.file {
            var more = Diagnostic(.warning, in: file, "there are \(omitted) more warnings")
            more.count = omitted
            result.append(more)
        }
        return result
    }
}

extension String {
    /// The text with a `#` for each number and each quoted text.
    fileprivate var withoutNumbersAndQuotes: String {
        var result: [UInt8] = []
        var isQuoted = false
        for byte in utf8 {
            let mark: UInt8
            switch byte {
            case UInt8(ascii: "\""):
                isQuoted.toggle()
                mark = UInt8(ascii: "#")
            case UInt8(ascii: "0")...UInt8(ascii: "9"): mark = UInt8(ascii: "#")
            case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "+"):
                // These characters are part of a number only after its first digit.
                mark = result.last == UInt8(ascii: "#") ? UInt8(ascii: "#") : byte
            default: mark = byte
            }
            if isQuoted || mark == UInt8(ascii: "#") {
                if result.last != UInt8(ascii: "#") { result.append(UInt8(ascii: "#")) }
            } else {
                result.append(mark)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
