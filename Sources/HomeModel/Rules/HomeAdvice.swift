/// What is allowed and could be better.
public struct HomeAdvice: Sendable, Hashable {
    /// What it is about.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// A name repeats the name of its room.
        case nameContainsRoom
    }

    /// What it is about.
    public var code: Code
    /// Where, by name, such as `Kilgo House/Kitchen Lamp`.
    public var place: String
    /// What could be better and how, in a sentence.
    public var text: String
}

extension HomeAdvice: CustomStringConvertible {
    /// `place: text`.
    public var description: String {
        "\(place): \(text)"
    }
}

extension HomeRules {
    /// Advice on what is in a home; nothing of it breaks a rule.
    public static func advice(for home: Home) -> [HomeAdvice] {
        let rooms = home.rooms.byID
        return home.shownServices.compactMap { service, room in
            rooms[room].flatMap { advice(for: service.name, in: $0.name, of: home) }
        }
    }

    /// Advice on the name of a service, as long as it is in a room.
    public static func advice(for name: ObjectName, in room: ObjectName, of home: Home) -> HomeAdvice? {
        guard room.key != ObjectName.entireHome.key, name.hasWords(of: room) else { return nil }
        let text =
            "The name repeats that of its room \(room), which people can say beside it; a name without that is shorter."
        return HomeAdvice(code: .nameContainsRoom, place: "\(home.name)/\(name)", text: text)
    }
}

extension ObjectName {
    /// Whether the words of another name follow each other in this one.
    ///
    /// A den is not in a garden.
    fileprivate func hasWords(of other: ObjectName) -> Bool {
        let words = words
        let wanted = other.words
        guard wanted.count <= words.count else { return false }
        return (0...(words.count - wanted.count)).contains { words[$0..<($0 + wanted.count)].elementsEqual(wanted) }
    }

    private var words: [String] {
        text.split(separator: " ").map { Self.key(of: String($0)) }
    }
}
