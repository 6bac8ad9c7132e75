import AccessoryFiles
import Documents
import Foundation
import HAPCore
import HomeModel
import TestSupport
import Testing

/// Tests that files follow random edits of their homes, and that all other lines remain.
struct RandomHomeEditingTests {
    /// A home file that is edited, with the accessories that are served for it.
    struct Sample: CustomTestStringConvertible {
        let name: String
        let text: String
        var known: [KnownAccessory] = []

        var testDescription: String { name }
    }

    static let samples: [Sample] = {
        let kilgo = try? String(contentsOf: KilgoHomeTests.folder.appending(path: "home.yaml"), encoding: .utf8)
        let document = try? HomeFile.read(Array(SampleHomeFile.text.utf8), name: "sample")
        let json = document.flatMap { try? HomeFile.write($0, as: .json) }.map { String(decoding: $0, as: UTF8.self) }
        return [
            Sample(name: "Config/home.yaml", text: kilgo ?? "", known: KilgoHomeTests.gallery),
            Sample(name: "Config/home.yaml, without accessories", text: kilgo ?? ""),
            Sample(name: "CRLF", text: (kilgo ?? "").replacing("\n", with: "\r\n"), known: KilgoHomeTests.gallery),
            Sample(name: "comments", text: EditedHomeFile.commentedText),
            Sample(name: "sample", text: SampleHomeFile.text),
            Sample(name: "sample in JSON", text: json ?? ""),
            Sample(name: "empty", text: "# Nothing yet.\nhome: House"),
        ]
    }()

    @Test(arguments: samples, 1...2 as ClosedRange<UInt64>)
    func fileFollowsRandomEdits(sample: Sample, seed: UInt64) throws {
        var editor = RandomHomeEditor(seed: seed)
        let first = try EditedHomeFile(sample.text, known: sample.known)
        var (text, homes) = (sample.text, first.homes)
        for step in 1...30 {
            let old = try #require(homes.homes.first)
            var new = old
            for _ in 0...(step % 3) {
                var edited = new
                guard (try? editor.edit(&edited)) != nil, HomeRules.violations(in: edited).isEmpty else { continue }
                new = edited
            }
            let bytes = try HomeFile.text(Array(text.utf8), name: "home.yaml", changing: old, to: new)
            let merged = try EditedHomeFile.check(bytes, homes, old, new, sample.known)
            let edited = String(decoding: bytes, as: UTF8.self)
            if !sample.name.contains("JSON") { Self.checkLines(text, edited, old, new, step) }
            // An unchanged home leaves the file as it is.
            let home = try #require(merged.homes.first)
            #expect(try HomeFile.text(bytes, name: "home.yaml", changing: home, to: home) == bytes)
            (text, homes) = (edited, merged)
        }
    }

    /// Checks that the lines of entries that the edit does not concern are still there, in the same order.
    private static func checkLines(_ text: String, _ edited: String, _ old: Home, _ new: Home, _ step: Int) {
        let changed = changedEntries(old, new)
        let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
        var rest = edited.split(omittingEmptySubsequences: false) { $0.isNewline }[...]
        for (line, entry) in zip(lines, entries(of: lines)) {
            if let entry, changed.contains(entry) { continue }
            if line.allSatisfy(\.isWhitespace) || entry == nil && !line.hasPrefix("#") { continue }
            guard let index = rest.firstIndex(of: line) else {
                Issue.record("step \(step): \"\(line)\" of \(entry ?? "the file") is lost in\n\(edited)")
                return
            }
            rest = rest[(index + 1)...]
        }
    }

    /// Returns the entry that each line belongs to, such as `scenes/movietime`; comments belong to what follows them.
    private static func entries(of lines: [Substring]) -> [String?] {
        var (section, entry) = ("", String?.none)
        var found: [String?] = []
        for line in lines {
            let indentation = line.prefix { $0 == " " }.count
            let visible = line.drop { $0 == " " }
            if visible.first == "#" {
                found.append(indentation <= 2 ? "next" : entry)
                continue
            }
            if indentation == 0, let colon = visible.firstIndex(of: ":") {
                section = String(visible[..<colon])
                // The value on this line is not in the style that this test understands.
                entry = nil
            } else if indentation == 2, section != "rooms" {
                let name = visible.hasPrefix("- ") ? visible.dropFirst(2) : visible
                let text = name.trimmingPrefix("{ ").trimmingPrefix("accessory: ")
                let words = text.prefix { !":,}#".contains($0) }.replacing("\"", with: "")
                entry = "\(section)/\(ObjectName.key(of: String(words)))"
            }
            found.append(entry)
        }
        for index in found.indices.reversed() where found[index] == "next" {
            found[index] = index + 1 < found.count ? found[index + 1] : nil
        }
        return found
    }

    /// Returns the entries that an export of two homes writes differently.
    private static func changedEntries(_ old: Home, _ new: Home) -> Set<String> {
        func entries(_ home: Home) -> [String: AnyHashable] {
            let home = HomeDescription(home)
            var entries: [String: AnyHashable] = [:]
            for zone in home.zones { entries["zones/\(zone.name.value.key)"] = zone }
            for group in home.groups { entries["groups/\(group.name.value.key)"] = group }
            for scene in home.scenes { entries["scenes/\(scene.name.value.key)"] = scene }
            for user in home.users { entries["users/\(user.name.value.key)"] = user }
            for rule in home.automations { entries["automations/\(rule.name.value.key)"] = rule }
            for accessory in home.accessories {
                entries["accessories/\(ObjectName.key(of: accessory.accessory.value))"] = accessory
            }
            return entries
        }
        let (before, after) = (entries(old), entries(new))
        return Set(before.keys.filter { before[$0] != after[$0] }).union(after.keys.filter { before[$0] == nil })
    }
}
