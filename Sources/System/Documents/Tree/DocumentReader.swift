internal import HAPCore

/// A reader of the values of one file that collects the errors.
package struct DocumentReader: Sendable {
    /// The diagnostics so far.
    package var diagnostics = DiagnosticCollector()
    /// The number of bytes that all further texts together may have; the content of an alias is counted each time.
    private var remainingBytes = DocumentText.maximumSize

    package init() {}

    /// Counts the bytes of a text, and returns `false` if they exceed the limit.
    package mutating func consume(bytes count: Int) -> Bool {
        remainingBytes -= min(count, remainingBytes + 1)
        return remainingBytes >= 0
    }

    /// Returns a value that was read.
    ///
    /// - Throws: ``DocumentError`` with all errors and warnings if there is no value, or if there are errors.
    package func result<Value>(_ value: Value?) throws(DocumentError) -> Value {
        guard let value, !diagnostics.hasErrors else { throw DocumentError(diagnostics.ordered) }
        return value
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

    /// Returns the most similar name, or `nil` if no name is similar.
    package mutating func nearest(to text: String, among names: some Collection<String>) -> String? {
        diagnostics.nearest(to: text, among: names)
    }

    /// Reads a text; a number without quotes is read as its written text.
    package mutating func text(_ field: DocumentField, bytes: ClosedRange<Int>? = nil) -> String? {
        guard let scalar = field.node.scalar else {
            report(field, "expected text, but found \(field.node.kind); write text instead")
            return nil
        }
        switch scalar.meaning {
        case .null:
            report(field, "the text is missing; write it, or omit the key")
            return nil
        case .bool:
            report(field, "\(scalar.text) is not text; put it in quotes")
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

    /// Reads a text that a function parses.
    ///
    /// - Parameters:
    ///   - name: The name of such a text, for messages.
    ///   - remedy: The remedy for an invalid text.
    package mutating func value<Value>(
        _ field: DocumentField,
        _ name: String,
        _ remedy: String,
        _ read: (String) -> Value?
    ) -> Value? {
        guard let scalar = field.node.scalar, scalar.meaning != .null else {
            report(field, "\(field.node.kind) is not a valid \(name); \(remedy)")
            return nil
        }
        guard let value = read(scalar.text) else {
            report(field, "this is not a valid \(name); \(remedy)")
            return nil
        }
        return value
    }

    /// Returns the elements of a list, or reports that the field is not a list.
    package mutating func list(_ field: DocumentField) -> [DocumentField] {
        guard let elements = field.node.elements else {
            report(field, "expected a list, but found \(field.node.kind); write \"- \" before each entry")
            return []
        }
        return elements.enumerated().map { field.element($0.element, at: $0.offset) }
    }

    /// Reads one of several words, or reports any other text, with the most similar word.
    ///
    /// - Parameter possible: The words to suggest, or `nil` for all.
    package mutating func word<Word>(
        _ field: DocumentField,
        _ words: [(String, Word)],
        suggesting possible: [String]? = nil
    ) -> Word? {
        if let text = field.node.scalar?.text, let word = words.first(where: { $0.0 == text }) {
            return word.1
        }
        let names = possible ?? words.map(\.0)
        let nearest = field.node.scalar.flatMap { diagnostics.nearest(to: $0.text, among: names) }
        report(
            field,
            "\(field.node.kind) is not allowed here; write "
                + (nearest
                    ?? (names.count == 1 ? names[0] : "one of \(names.filter { !$0.isEmpty }.joined(separator: ", "))"))
        )
        return nil
    }
}
