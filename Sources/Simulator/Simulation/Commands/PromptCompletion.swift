internal import AccessoryModel

/// The possible completions at the prompt.
package struct PromptCompletion {
    /// All possible texts up to the cursor.
    package let candidates: [String]
    /// The longest common beginning of all candidates, or `nil` if it adds nothing.
    package let commonPrefix: String?

    /// Finds the completions.
    ///
    /// - Parameter text: The text up to the cursor.
    package init(of text: String, _ names: SimulationNames) {
        let words = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        if words.count < 2 {
            candidates = PromptCommand.words.filter { $0.hasPrefix(text) }.map { "\($0) " }
        } else {
            let options = Self.options(words[0], words[1], names)
            candidates = options.map { "\(words[0]) \($0)" }
        }
        commonPrefix = Self.commonPrefix(of: candidates, beyond: text)
    }

    private static func options(_ command: String, _ rest: String, _ names: SimulationNames) -> [String] {
        switch command {
        case "set":
            if let range = rest.firstRange(of: " to ") {
                let name = String(rest[..<range.lowerBound])
                guard let (_, found) = try? names.characteristic(SimulationTarget(name)) else { return [] }
                return matching(String(rest[range.upperBound...]), found.base.completions)
                    .map { "\(name) to \($0)" }
            }
            return matching(rest, names.texts(of: [.characteristic])).map { "\($0) to " }
        case "show": return matching(rest, names.texts(of: [.accessory, .service, .characteristic]))
        case "clear":
            let obstruction = "obstruction "
            if rest.hasPrefix(obstruction) {
                return matching(
                    String(rest.dropFirst(obstruction.count)),
                    services(names, supporting: .clearObstruction)
                )
                .map { obstruction + $0 }
            }
            return faultCandidates(rest, [obstruction, "faults "], [], names)
        case "fault": return faultCandidates(rest, [], ["times ", "for "], names)
        default:
            guard let supported = PromptCommand.serviceCommand(command) else { return [] }
            return matching(rest, services(names, supporting: supported))
        }
    }

    /// Returns the candidates within `FAULT [on NAME] [more]`.
    private static func faultCandidates(
        _ rest: String,
        _ others: [String],
        _ more: [String],
        _ names: SimulationNames
    ) -> [String] {
        guard let space = rest.firstIndex(of: " ") else {
            return matching(rest, others + FaultCatalog.definitions.map { "\($0.name) " })
        }
        if let range = rest.firstRange(of: " on ") {
            let all = names.texts(of: Set(NameLevel.allCases))
            let found = matching(String(rest[range.upperBound...]), all)
            if !found.isEmpty { return found.map { "\(rest[..<range.upperBound])\($0)" } }
        }
        let parameters = FaultCatalog.definition(named: String(rest[..<space]))?.parameters ?? []
        let settings = more.isEmpty ? [] : parameters.map { "\($0.name)=" }
        let word = rest.lastIndex(of: " ").map { rest.index(after: $0) } ?? rest.startIndex
        return matching(String(rest[word...]), ["on "] + settings + more).map { "\(rest[..<word])\($0)" }
    }

    private static func services(_ names: SimulationNames, supporting command: BehaviorCommand) -> [String] {
        var known: Set<String> = []
        return names.services(supporting: command).map { names.text(of: $0) }.filter { known.insert($0).inserted }
    }

    /// Returns the options that begin with a text, or else the options in which a part after a slash begins with it.
    private static func matching(_ text: String, _ options: [String]) -> [String] {
        let key = text.lowercased()
        let whole = options.filter { $0.lowercased().hasPrefix(key) }
        guard whole.isEmpty, !key.isEmpty else { return whole }
        return options.filter { option in
            option.lowercased().split(separator: "/").dropFirst().contains { $0.hasPrefix(key) }
        }
    }

    private static func commonPrefix(of candidates: [String], beyond text: String) -> String? {
        guard var common = candidates.first else { return nil }
        for candidate in candidates.dropFirst() {
            common = String(zip(common, candidate).prefix { $0 == $1 }.map(\.0))
        }
        if candidates.count == 1 { return common == text ? nil : common }
        // With several candidates, the text is only replaced by a longer one that begins with it.
        let isLonger = common.count > text.count && common.lowercased().hasPrefix(text.lowercased())
        return isLonger ? common : nil
    }
}
