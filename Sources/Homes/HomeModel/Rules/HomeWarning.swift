/// Advice about something that is allowed but could be improved.
public struct HomeWarning: Sendable, Hashable {
    /// The subject of a warning.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// A name repeats the name of its room.
        case nameContainsRoom
    }

    /// The subject of the warning.
    public var code: Code
    /// The names that lead to the object, such as `Kilgo House/Kitchen Lamp`.
    public var path: String
    /// The advice, in a sentence.
    public var text: String
}

extension HomeWarning: CustomStringConvertible {
    /// The text `path: text`.
    public var description: String {
        "\(path): \(text)"
    }
}

extension HomeRules {
    /// Returns advice about a home; the advice is never about a broken rule.
    public static func warnings(for home: Home) -> [HomeWarning] {
        let rooms = home.rooms.byID
        return home.visibleServices.compactMap { service, room in
            rooms[room].flatMap { warnings(for: service.name, in: $0.name, of: home) }
        }
    }

    /// Returns advice about the name of a service in a room.
    public static func warnings(for name: ObjectName, in room: ObjectName, of home: Home) -> HomeWarning? {
        guard room.key != ObjectName.entireHome.key, name.containsWords(of: room) else { return nil }
        let text =
            "The name repeats the name of its room \(room); a shorter name without it is enough."
        return HomeWarning(code: .nameContainsRoom, path: "\(home.name)/\(name)", text: text)
    }
}

extension ObjectName {
    /// Returns whether the words of another name occur in this one, in the same order and without gaps.
    ///
    /// Only whole words count: "den" does not occur in "garden".
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
