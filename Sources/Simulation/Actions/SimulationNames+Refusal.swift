package import AccessoryModel
package import HAPCore

extension SimulationNames {
    /// How many things a refusal lists.
    private static let listed = 10
    /// How many things are tried for a name of their own that a refusal can list.
    private static let tried = 40

    func unknown(
        _ target: SimulationTarget,
        _ kinds: Set<SimulationObject.Kind>,
        _ suggestions: inout NameSuggestions
    ) -> SimulationError {
        let known = suggestions.texts(of: kinds)
        let near = suggestions.near(to: target, kinds)
        let list = known.prefix(Self.listed).joined(separator: ", ") + (known.count > Self.listed ? " …" : "")
        let remedy =
            near.isEmpty
            ? known.isEmpty ? "Nothing has one here." : "There are: \(list)."
            : "Did you mean \(near.map { "\"\($0)\"" }.alternatives)?"
        return SimulationError(
            .unknownName,
            "There is no \(Self.words(kinds)) \"\(Self.shown(target))\".",
            remedy.withVisibleControls
        )
    }

    func ambiguous(
        _ target: SimulationTarget,
        _ objects: [SimulationObject],
        _ kinds: Set<SimulationObject.Kind>
    ) -> SimulationError {
        let texts = objects.prefix(Self.tried).lazy.compactMap { unmistakableText(of: $0, as: kinds) }
            .prefix(Self.listed).map { "\"\($0)\"" }
        let more = objects.count > texts.count ? " and \(objects.count - texts.count) more" : ""
        return SimulationError(
            .ambiguousName,
            "\"\(Self.shown(target))\" can be \(objects.count) things.",
            "Say which one: \(texts.joined(separator: ", "))\(more).".withVisibleControls
        )
    }

    func wrongKind(
        _ target: SimulationTarget,
        _ object: SimulationObject,
        _ kinds: Set<SimulationObject.Kind>,
        _ suggestions: inout NameSuggestions
    ) -> SimulationError {
        let within = parts(of: object).lazy.filter { kinds.contains($0.kind) }.map(text).prefix(Self.listed)
        let inner = within.isEmpty ? Array(suggestions.texts(of: kinds).prefix(Self.listed)) : Array(within)
        return SimulationError(
            .unknownName,
            "\"\(Self.shown(target))\" is \(Self.article(object.kind)), and no \(Self.words(kinds)).",
            (inner.isEmpty ? "Name one." : "Name one, such as \(inner.map { "\"\($0)\"" }.joined(separator: ", ")).")
                .withVisibleControls
        )
    }

    func impossible(_ command: BehaviorCommand, _ object: SimulationObject) -> SimulationError {
        let able = objects(of: [.service]).lazy.filter { service(of: $0)?.commands.contains(command) ?? false }
        let names = able.prefix(Self.listed + 1).map { "\"\(text(of: $0))\"" }
        let list = names.prefix(Self.listed).joined(separator: ", ") + (names.count > Self.listed ? " …" : "")
        return SimulationError(
            .refused,
            "\"\(text(of: object))\" does not know how to \(command.verb).".withVisibleControls,
            names.isEmpty ? "Nothing here does." : "Name one that does: \(list).".withVisibleControls
        )
    }

    private static func words(_ kinds: Set<SimulationObject.Kind>) -> String {
        SimulationObject.Kind.allCases.filter(kinds.contains).map(\.rawValue).alternatives
    }

    private static func article(_ kind: SimulationObject.Kind) -> String {
        kind == .accessory ? "an accessory" : "a \(kind.rawValue)"
    }

    private static func shown(_ target: SimulationTarget) -> String {
        String(target.text.prefix(100)).withVisibleControls
    }
}

/// The names that the refusals of one run suggest in the place of wrong ones, within one budget of work.
package struct NameSuggestions: Sendable {
    private let names: SimulationNames
    private var spelling: Spelling
    /// All names of some kinds, as people would write them.
    private var texts: [Set<SimulationObject.Kind>: [String]] = [:]
    /// All names of some kinds, also with their leading parts omitted.
    private var shortened: [Set<SimulationObject.Kind>: [String]] = [:]

    /// Creates suggestions for a run on these names.
    package init(of names: SimulationNames, spelling: Spelling = Spelling()) {
        self.names = names
        self.spelling = spelling
    }

    /// Returns everything that can be named, as people would write it.
    mutating func texts(of kinds: Set<SimulationObject.Kind>) -> [String] {
        if let known = texts[kinds] { return known }
        let known = names.texts(of: kinds)
        texts[kinds] = known
        return known
    }

    /// Returns the names that are near to a wrong one, the nearest first.
    mutating func near(to target: SimulationTarget, _ kinds: Set<SimulationObject.Kind>) -> [String] {
        guard spelling.budget > 0 else { return [] }
        return spelling.near(to: target.text, among: shortenedTexts(of: kinds), count: 3)
    }

    /// Returns all names of some kinds, also with their leading parts omitted: `Light/On` for `Garage/Light/On`.
    private mutating func shortenedTexts(of kinds: Set<SimulationObject.Kind>) -> [String] {
        if let known = shortened[kinds] { return known }
        var seen: Set<String> = []
        for text in texts(of: kinds) {
            var rest = text[...]
            seen.insert(text)
            while let slash = rest.firstIndex(of: "/") {
                rest = rest[rest.index(after: slash)...]
                seen.insert(String(rest))
            }
        }
        let known = seen.sorted()
        shortened[kinds] = known
        return known
    }
}
