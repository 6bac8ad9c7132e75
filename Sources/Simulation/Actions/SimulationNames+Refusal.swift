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

    func ambiguous(_ target: SimulationTarget, _ objects: [SimulationObject]) -> SimulationError {
        let texts = objects.prefix(Self.listed).map { "\"\(unmistakable($0))\"" }
        let more = objects.count > Self.listed ? " and \(objects.count - Self.listed) more" : ""
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

    /// A name with the id that tells it from others of this name.
    private func unmistakable(_ object: SimulationObject) -> String {
        switch object {
        case .characteristic(let place): "\(text(of: object)) (\(place.id))"
        case .accessory(_, let aid): "\(text(of: object)) (\(aid))"
        case .server, .service: text(of: object)
        }
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
