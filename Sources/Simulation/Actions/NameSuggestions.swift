package import AccessoryModel
package import HAPCore

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
