import AccessoryModel
import ArgumentParser
import Documents
import HAPCore
import HomeModel

/// A command-line argument that stands for a test of one property, such as `garage door=open`.
///
/// The relations are `=`, `>`, `<`, `>=` and `<=`; a range such as `18...24` may follow `=`. The last word can be
/// `changes` instead.
enum HomeTestArgument {
    /// A property and a test of its value.
    typealias Test = (CharacteristicSelector, CharacteristicTest<CharacteristicValue>)

    private enum Relation: String, CaseIterable {
        case minimum = ">="
        case maximum = "<="
        case equals = "="
        case above = ">"
        case below = "<"
        case changes = " changes"
    }

    /// Checks that all arguments have a relation and a value.
    ///
    /// - Throws: `ValidationError` if one has none.
    static func check(_ texts: [String]) throws {
        for text in texts where split(text) == nil {
            throw ValidationError(
                "\"\(text)\" has no value; write WHAT=VALUE, such as \"Garage Door=open\" or \"Heater/Current "
                    + "Temperature>25\", or \"WHAT changes\"."
            )
        }
    }

    /// Returns whether a text is a test and not a map of a home file.
    static func isTest(_ text: String) -> Bool {
        !text.contains(":") && split(text) != nil
    }

    /// Returns the test that a text describes.
    ///
    /// - Throws: `HomeError` if the text refers to no property or to several, or if the value is not possible.
    static func test(_ text: String, in home: Home) throws(HomeError) -> Test {
        guard let (phrase, relation, value) = split(text) else {
            throw HomeError(.invalidValue, at: home.name.text, "The value is missing.", remedy: "Write WHAT=VALUE.")
        }
        switch relation {
        case .changes: return (try home.observedCharacteristic(named: phrase), .changes)
        case .equals:
            if let range = HomeText.range(value) { return (try property(phrase, in: home), .within(range)) }
            let state = try home.state(of: phrase, being: value)
            return (state.characteristic, .equals(state.value))
        case .above: return (try property(phrase, in: home), .above(try limit(value, in: home)))
        case .below: return (try property(phrase, in: home), .below(try limit(value, in: home)))
        case .minimum, .maximum:
            let (selector, limit) = (try property(phrase, in: home), try limit(value, in: home))
            let range =
                relation == .minimum
                ? NumberRange(minimum: limit, maximum: nil) : NumberRange(minimum: nil, maximum: limit)
            guard let range else { throw invalidLimit(value, in: home) }
            return (selector, .within(range))
        }
    }

    /// Returns the property that a text names, because a number could mean any property of a service.
    private static func property(_ text: String, in home: Home) throws(HomeError) -> CharacteristicSelector {
        let selector = try home.characteristic(named: text)
        guard home.namesProperty(text) else {
            throw HomeError(
                .ambiguousName,
                at: home.name.text,
                "\(text.quotedForDisplay) is a service, and the number could mean any of its properties.",
                remedy: "Write SERVICE/PROPERTY, such as \"Heater/Current Temperature\"."
            )
        }
        return selector
    }

    private static func limit(_ text: String, in home: Home) throws(HomeError) -> JSONNumber {
        guard let limit = HomeText.limit(text) else { throw invalidLimit(text, in: home) }
        return limit
    }

    private static func invalidLimit(_ text: String, in home: Home) -> HomeError {
        HomeError(
            .invalidValue,
            at: home.name.text,
            "\(text.quotedForDisplay) is not a number.",
            remedy: "Write one, such as 25 or 40%."
        )
    }

    private static func split(_ text: String) -> (phrase: String, relation: Relation, value: String)? {
        let changes = Relation.changes.rawValue
        if text.lowercased().hasSuffix(changes) {
            let phrase = text.dropLast(changes.count).trimmed
            return phrase.isEmpty ? nil : (phrase, .changes, "")
        }
        guard let last = text.lastIndex(where: { "=<>".contains($0) }) else { return nil }
        // The longer relations come first, so that ">=" is not read as "=".
        let end = text.index(after: last)
        guard let relation = Relation.allCases.first(where: { text[..<end].hasSuffix($0.rawValue) }) else { return nil }
        let phrase = text[..<end].dropLast(relation.rawValue.count).trimmed
        let value = text[end...].trimmed
        return phrase.isEmpty || value.isEmpty ? nil : (phrase, relation, value)
    }
}

extension StringProtocol {
    /// The text without spaces at both ends.
    fileprivate var trimmed: String {
        guard let first = firstIndex(where: { $0 != " " }), let last = lastIndex(where: { $0 != " " }) else {
            return ""
        }
        return String(self[first...last])
    }
}
