import Foundation
import Testing

/// Compares the table of the documentation with the declarations, and with the list of Apple's members.
@Suite struct CoverageTests {
    /// A row of the table: what works, what always fails, and what does not exist, as the table writes it.
    struct Row: Sendable {
        let type: String
        let declared: Set<String>
        let missing: Set<String>
    }

    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    private static let module = root.appending(path: "Sources/Homes/HomeKit")

    private static func rows() throws -> [Row] {
        let table = try String(contentsOf: module.appending(path: "HomeKit.docc/Coverage.md"), encoding: .utf8)
        return table.split(separator: "\n")
            .filter { $0.hasPrefix("| HM") }
            .map { line in
                let cells = line.split(separator: "|", omittingEmptySubsequences: false)
                    .map { $0.trimmingCharacters(in: .whitespaces) }
                return Row(type: cells[1], declared: names(in: cells[3...5].joined()), missing: names(in: cells[6]))
            }
    }

    /// The identifiers between backticks.
    private static func names(in text: some StringProtocol) -> Set<String> {
        let quoted = text.split(separator: "`", omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset % 2 == 1 }
        return Set(quoted.map { String($0.element) }.filter { $0.allSatisfy { $0.isLetter } })
    }

    /// All sources of the module, without the generated ones.
    private static func sources() throws -> String {
        let files =
            FileManager.default.enumerator(at: module, includingPropertiesForKeys: nil)?
            .compactMap { $0 as? URL } ?? []
        return try files.filter { $0.pathExtension == "swift" && !$0.path.contains("/Generated/") }
            .map { try String(contentsOf: $0, encoding: .utf8) }
            .joined(separator: "\n")
    }

    @Test func everyTypeAndMemberOfTheTableIsDeclared() throws {
        let source = try Self.sources()
        let rows = try Self.rows()
        #expect(rows.count > 40)
        let types = Set(source.matches(of: #/(?:class|protocol) (HM\w+)/#).map { String($0.1) })
        let members = Set(source.matches(of: #/(?:func|var|let) (\w+)/#).map { String($0.1) }).union(["init"])
        for row in rows {
            #expect(types.contains(row.type))
            // The cells also name errors and values, which are not members.
            let named = row.declared.subtracting(["customUsers", "operationNotSupported"])
            #expect(named.subtracting(members).isEmpty, "\(row.type)")
        }
    }

    @Test func everyPublicTypeIsInTheTable() throws {
        let types = try Self.sources().matches(of: #/(?:open|public) (?:final )?(?:class|protocol) (HM\w+)/#).map(\.1)
        let known = Set(try Self.rows().map(\.type))
        // HMConditionPredicate is ours.
        #expect(Set(types.map(String.init)).subtracting(known) == ["HMConditionPredicate"])
    }

    /// Apple's types with their members, from ../shared/homekit-api.md; empty if the file is missing.
    private static let facts: [(types: [String], members: Set<String>)] = {
        let file = root.appending(path: "../shared/homekit-api.md").standardized
        guard let text = try? String(contentsOf: file, encoding: .utf8) else { return [] }
        let section = text.components(separatedBy: "## 2.")[0]
        var facts: [(types: [String], members: Set<String>)] = []
        for line in section.split(separator: "\n") where line.hasPrefix("| ") && line.contains("HM") {
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count == 2, cells[0].contains("HM"), !cells[0].hasPrefix("Out of"), !cells[0].hasPrefix("Depre")
            else {
                continue
            }
            let types = line.matches(of: #/HM\w+/#).flatMap { [String($0.0), "\($0.0)Delegate"] }
            facts.append((types, expanded(cells[1])))
        }
        return facts
    }()

    /// The members of a cell; expands `addRoom/Zone(…)` to `addRoom` and `addZone`, and `add/removeRoom(…)` likewise.
    private static func expanded(_ cell: String) -> Set<String> {
        var members: Set<String> = []
        for token in names(between: cell) where !token.contains("…") {
            let name = token.prefix { $0.isLetter || $0 == "/" }
            let parts = name.split(separator: "/").map(String.init)
            guard let first = parts.first, let last = parts.last else { continue }
            let verb = String(first.prefix { $0.isLowercase })
            if parts.count == 1 {
                members.insert(first)
            } else if verb == first {
                // add/removeRoom: the last one has what all share.
                let shared = last.drop { $0.isLowercase }
                members.formUnion(parts.map { $0 + ($0.contains(where: \.isUppercase) ? "" : String(shared)) })
            } else {
                members.formUnion([first] + parts.dropFirst().map { verb + $0 })
            }
        }
        return members.filter { $0.first?.isLowercase == true }
    }

    private static func names(between text: String) -> [String] {
        text.split(separator: "`", omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset % 2 == 1 }
            .map { String($0.element) }
    }

    @Test(.enabled(if: !facts.isEmpty, "../shared/homekit-api.md is missing"))
    func everyMemberOfAppleIsInTheTable() throws {
        let rows = Dictionary(try Self.rows().map { ($0.type, $0.declared.union($0.missing)) }) { first, _ in first }
        var count = 0
        for (types, members) in Self.facts {
            // A row with several types lists the members of all of them.
            let known = types.reduce(into: Set<String>()) { $0.formUnion(rows[$1] ?? []) }
            for member in members where !["class", "nil", "open"].contains(member) {
                count += 1
                #expect(known.contains(member), "\(types.joined(separator: ", ")): \(member)")
            }
        }
        #expect(count > 120)
    }
}
