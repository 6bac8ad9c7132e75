internal import AccessoryModel

extension SimulationNames {
    /// How many things a refusal lists.
    private static let listed = 10

    func unknown(_ target: SimulationTarget, _ kinds: Set<SimulationObject.Kind>) -> SimulationError {
        let known = texts(of: kinds)
        var names = known
        for text in known {
            let parts = text.split(separator: "/")
            // People leave out what goes without saying.
            for count in 1..<max(parts.count, 1) {
                names.append(parts.suffix(count).joined(separator: "/"))
            }
        }
        let near = Spelling.near(to: target.text, among: Set(names).sorted(), count: 3)
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
        let texts = objects.lazy.compactMap { unmistakableText(of: $0, as: kinds) }.prefix(Self.listed)
            .map { "\"\($0)\"" }
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
        _ kinds: Set<SimulationObject.Kind>
    ) -> SimulationError {
        let known = texts(of: kinds)
        let within = known.filter { $0.contains(text(of: object)) }
        let inner = (within.isEmpty ? known : within).prefix(Self.listed)
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
