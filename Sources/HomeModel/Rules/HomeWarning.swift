/// What is allowed and could be better.
public struct HomeWarning: Sendable, Hashable {
    /// What it is about.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// A name repeats the name of its room.
        case nameContainsRoom
    }

    /// What it is about.
    public var code: Code
    /// Where, by name, such as `Kilgo House/Kitchen Lamp`.
    public var path: String
    /// What could be better and how, in a sentence.
    public var text: String
}

extension HomeWarning: CustomStringConvertible {
    /// `place: text`.
    public var description: String {
        "\(path): \(text)"
    }
}

extension HomeRules {
    /// Advice on what is in a home; nothing of it breaks a rule.
    public static func warnings(for home: Home) -> [HomeWarning] {
        let rooms = home.rooms.byID
        return home.visibleServices.compactMap { service, room in
            rooms[room].flatMap { warnings(for: service.name, in: $0.name, of: home) }
        }
    }

    /// Advice on the name of a service, as long as it is in a room.
    public static func warnings(for name: ObjectName, in room: ObjectName, of home: Home) -> HomeWarning? {
        guard room.key != ObjectName.entireHome.key, name.containsWords(of: room) else { return nil }
        let text =
            "The name repeats that of its room \(room), which people can say beside it; a name without that is shorter."
        return HomeWarning(code: .nameContainsRoom, path: "\(home.name)/\(name)", text: text)
    }
}

extension ObjectName {
    /// Whether the words of another name follow each other in this one.
    ///
    /// A den is not in a garden.
    fileprivate func containsWords(of other: ObjectName) -> Bool {
        let words = words
        let wanted = other.words
        guard wanted.count <= words.count else { return false }
        return (0...(words.count - wanted.count)).contains { words[$0..<($0 + wanted.count)].elementsEqual(wanted) }
    }

    private var words: [String] {
        text.split(separator: " ").map { Self.key(of: String($0)) }
    }
}
