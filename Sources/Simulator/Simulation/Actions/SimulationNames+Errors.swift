internal import AccessoryModel
internal import HAPCore

extension SimulationNames {
    /// The largest number of objects that an error lists.
    private static let maximumListed = NameSuggestions.maximumListed
    /// The number of objects that are searched for an unambiguous name that an error can list.
    private static let maximumCandidates = 40

    /// - Parameter command: The command that the target must perform, or `nil` for any target.
    func unknown(
        _ target: SimulationTarget,
        _ kinds: Set<NameLevel>,
        _ suggestions: NameSuggestions,
        for command: BehaviorCommand? = nil
    ) -> SimulationError {
        if kinds == [.characteristic], let owner = index.unknownOwner(of: target.text) {
            return unknown(SimulationTarget(owner), [.service], suggestions)
        }
        return SimulationError(
            .unknownName,
            "There is no \(Self.alternatives(kinds)) \"\(Self.displayText(target))\".",
            suggestions.remedy(
                for: target.text,
                as: kinds,
                known: command.map { command in
                    NameSuggestions.Candidates("\(command)") {
                        services(supporting: command).map { text(of: $0) }
                    }
                },
                listed: NameSuggestions.Candidates("listed \(kinds.map(\.rawValue).sorted())") {
                    listedNames(of: kinds, suggestions)
                },
                emptyMessage: command.map { "No service here can \($0.words.verb)." } ?? "There are none here."
            )
        )
    }

    /// Returns the names that an error lists, and one more: servers and accessories if these are acceptable, or else what
    /// is simulated, or else all.
    private func listedNames(of kinds: Set<NameLevel>, _ suggestions: NameSuggestions) -> [String] {
        if kinds.contains(.accessory) { return suggestions.texts(of: kinds.intersection([.server, .accessory])) }
        let simulated = objects(at: index.numbers(of: kinds)).lazy
            .filter { object in
                switch object {
                case .characteristic(let place): service(at: place)?.isSimulated ?? false
                default: service(of: object)?.isSimulated ?? false
                }
            }
            .prefix(Self.maximumListed + 1).map { text(of: $0) }
        return simulated.isEmpty ? suggestions.texts(of: kinds) : Array(simulated)
    }

    func ambiguous(_ target: SimulationTarget, _ numbers: [Int], _ kinds: Set<NameLevel>) -> SimulationError {
        let texts = numbers.prefix(Self.maximumCandidates).lazy.compactMap { index.distinctText(of: $0, as: kinds) }
            .prefix(Self.maximumListed).map { "\"\($0)\"" }
        let more = numbers.count > texts.count ? " and \(numbers.count - texts.count) more" : ""
        return SimulationError(
            .ambiguousName,
            "\"\(Self.displayText(target))\" matches \(numbers.count) names.",
            "Write one of these: \(texts.joined(separator: ", "))\(more).".escapingControlCharacters
        )
    }

    func wrongKind(
        _ target: SimulationTarget,
        _ number: Int,
        _ kinds: Set<NameLevel>,
        _ suggestions: NameSuggestions
    ) -> SimulationError {
        let parts = index.parts(of: number).lazy.filter { kinds.contains(index.level(of: $0)) }
            .prefix(Self.maximumListed).map(index.text)
        let inner = parts.isEmpty ? suggestions.texts(of: kinds).prefix(Self.maximumListed).map(\.self) : Array(parts)
        return SimulationError(
            .unknownName,
            "\"\(Self.displayText(target))\" is \(Self.article(index.level(of: number))), "
                + "not the expected \(Self.alternatives(kinds)).",
            (inner.isEmpty ? "Name one." : "Name one, such as \(inner.map { "\"\($0)\"" }.joined(separator: ", ")).")
                .escapingControlCharacters
        )
    }

    func unsupportedCommand(_ command: BehaviorCommand, _ object: SimulationObject) -> SimulationError {
        let names = services(supporting: command).prefix(Self.maximumListed + 1)
            .map { "\"\(text(of: $0))\"" }
        let list =
            names.prefix(Self.maximumListed).joined(separator: ", ") + (names.count > Self.maximumListed ? " …" : "")
        return SimulationError(
            .refused,
            "\"\(text(of: object))\" cannot \(command.words.verb).".escapingControlCharacters,
            names.isEmpty
                ? "No service here can \(command.words.verb)."
                : "Write one of these services: \(list).".escapingControlCharacters
        )
    }

    private static func alternatives(_ kinds: Set<NameLevel>) -> String {
        NameLevel.allCases.filter(kinds.contains).map(\.rawValue).joinedWithOr
    }

    private static func article(_ kind: NameLevel) -> String {
        kind == .accessory ? "an accessory" : "a \(kind.rawValue)"
    }

    private static func displayText(_ target: SimulationTarget) -> String {
        String(target.text.prefix(100)).escapingControlCharacters
    }
}
