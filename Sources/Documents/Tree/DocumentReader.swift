internal import HAPCore

/// Reads the values of one file, and collects its errors.
package struct DocumentReader: Sendable {
    /// The diagnostics so far.
    package var diagnostics = DiagnosticCollector()
    /// The number of bytes that further texts may have; those of an alias count each time.
    private var remainingBytes = DocumentText.maximumSize

    package init() {}

    /// Counts the bytes of a text; returns `false` if they exceed the limit.
    package mutating func consume(bytes count: Int) -> Bool {
        remainingBytes -= min(count, remainingBytes + 1)
        return remainingBytes >= 0
    }

    /// Reports an error in a field.
    package mutating func report(_ field: DocumentField, _ reason: @autoclosure () -> String) {
        diagnostics.report(field, reason())
    }

    /// Reports a warning at a location.
    package mutating func warn(at location: SourceLocation, _ reason: @autoclosure () -> String) {
        diagnostics.warn(at: location, reason())
    }

    /// Reports an error at a location.
    package mutating func report(at location: SourceLocation, _ reason: @autoclosure () -> String) {
        diagnostics.report(at: location, reason())
    }

    /// Returns the most similar name; `nil` if none is similar.
    package mutating func nearest(to text: String, among names: some Sequence<String>) -> String? {
        diagnostics.spelling.nearest(to: text, among: names)
    }

    /// Reads a text; a number without quotes counts as its written text.
    package mutating func text(_ field: DocumentField, bytes: ClosedRange<Int>? = nil) -> String? {
        guard let scalar = field.node.scalar else {
            report(field, "\(field.node.kind) stands where a text is expected; write one")
            return nil
        }
        switch scalar.meaning {
        case .null:
            report(field, "there is no text; write one, or leave the key away")
            return nil
        case .bool:
            report(field, "\(scalar.text) is no text; put it in quotes")
            return nil
        case .number, .text: break
        }
        let count = scalar.text.utf8.count
        if let bytes, !bytes.contains(count) {
            report(
                field,
                "the text has \(count) bytes; write \(bytes.lowerBound) to \(bytes.upperBound)"
            )
            return nil
        }
        return scalar.text
    }

    /// A text that some type reads.
    package mutating func value<Value>(
        _ field: DocumentField,
        _ name: String,
        _ remedy: String,
        _ read: (String) -> Value?
    ) -> Value? {
        guard let scalar = field.node.scalar, scalar.meaning != .null else {
            report(field, "\(field.node.kind) is no \(name); \(remedy)")
            return nil
        }
        guard let value = read(scalar.text) else {
            report(field, "this is no \(name); \(remedy)")
            return nil
        }
        return value
    }

    /// The elements of a list.
    package mutating func list(_ field: DocumentField) -> [DocumentField] {
        guard case .sequence(let elements) = field.node.content else {
            report(field, "\(field.node.kind) stands where a list is expected; write \"- \" before each entry")
            return []
        }
        return elements.enumerated().map { field.element($0.element, at: $0.offset) }
    }

    /// Reads one of several words; reports any other text, with the most similar word.
    package mutating func word<Word>(_ field: DocumentField, _ words: [(String, Word)]) -> Word? {
        if let text = field.node.scalar?.text, let word = words.first(where: { $0.0 == text }) {
            return word.1
        }
        let names = words.map(\.0)
        let nearest = field.node.scalar.flatMap { diagnostics.spelling.nearest(to: $0.text, among: names) }
        report(
            field,
            "\(field.node.kind) is not known; write "
                + (nearest ?? "one of \(names.filter { !$0.isEmpty }.joined(separator: ", "))")
        )
        return nil
    }
}
