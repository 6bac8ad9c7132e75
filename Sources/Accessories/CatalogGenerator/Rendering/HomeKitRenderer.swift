/// A renderer of the constants, enumerations and error codes of Apple's framework HomeKit.
///
/// The input has a line for each: its Swift name, a tab, and its value. A name with a dot is a case of an enumeration.
struct HomeKitRenderer {
    private let constants: [(name: String, value: String)]
    private let cases: [(type: String, cases: [(name: String, value: Int)])]
    private let catalogNames: [String: String]

    private static let source = "homekit.tsv"
    /// The enumeration whose members are also those of the error type.
    private static let errorCode = "HMError.Code"
    /// The constants of these types have strings as values, like those without a dot.
    private static let stringTypes: Set<String> = ["HMSignificantEvent"]
    /// The enumerations whose values Apple declares without a sign.
    private static let unsignedTypes: Set<String> = [
        "HMEventTriggerActivationState", "HMHomeHubState", "HMPresenceEventType", "HMPresenceEventUserType",
    ]
    /// The second name of a code, which only old programs use.
    private static let formerCode = (name: "incompatibleHomeHub", code: "noCompatibleHomeHub")

    /// Creates a renderer.
    ///
    /// - Throws: ``CatalogError`` if a line is malformed.
    init(_ text: String, catalog: CatalogInput) throws {
        var constants: [(name: String, value: String)] = []
        var order: [String] = []
        var cases: [String: [(name: String, value: Int)]] = [:]
        catalogNames = Dictionary(
            (catalog.characteristics.map { ($0.uuid, $0.name) } + catalog.services.map { ($0.uuid, $0.name) }),
            uniquingKeysWith: { first, _ in first }
        )
        for line in text.split(separator: "\n") {
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard fields.count == 2 else {
                throw CatalogError(.malformed, "a line needs a name and a value", at: fields[0])
            }
            let (name, value) = (fields[0], fields[1])
            let parts = name.split(separator: ".")
            let type = parts.dropLast().joined(separator: ".")
            guard parts.count > 1, !Self.stringTypes.contains(type) else {
                constants.append((name, value))
                continue
            }
            guard let number = Int(value) else {
                throw CatalogError(.malformed, "\(value) is not an integer", at: name)
            }
            if cases[type] == nil { order.append(type) }
            cases[type, default: []].append((String(parts[parts.count - 1]), number))
        }
        self.constants = constants
        self.cases = order.map { ($0, cases[$0] ?? []) }
    }

    /// Returns all output files; the same input always results in the same bytes.
    func files() -> [RenderedFile] {
        let values = cases.filter { $0.type.hasPrefix("HMCharacteristicValue") }
        let others = cases.filter { !$0.type.hasPrefix("HMCharacteristicValue") && $0.type != Self.errorCode }
        let codes = cases.first { $0.type == Self.errorCode }?.cases ?? []
        return [
            file("HMServiceTypes", constants("HMServiceType")),
            file("HMCharacteristicTypes", constants("HMCharacteristicType")),
            file("HMAccessoryCategoryTypes", constants("HMAccessoryCategoryType")),
            file("HMStrings", constants { !isHAPType($0) && !$0.hasPrefix("HMAccessoryCategoryType") }),
            file("HMCharacteristicValues", values.map(enumeration).joined(separator: "\n")),
            file("HMEnumerations", others.map(enumeration).joined(separator: "\n")),
            file("HMErrorCodes", errorCodes(codes)),
        ]
    }

    /// Returns a name such as `notFound` as words: "Not found".
    private static func words(_ name: String) -> String {
        let words = name.reduce(into: "") { text, character in
            let isNewWord = character.isUppercase && text.last?.isLowercase == true
            text += isNewWord ? " \(character.lowercased())" : String(character)
        }
        return words.prefix(1).uppercased() + words.dropFirst()
    }

    private func isHAPType(_ name: String) -> Bool {
        name.hasPrefix("HMServiceType") || name.hasPrefix("HMCharacteristicType")
    }

    private func file(_ name: String, _ body: String) -> RenderedFile {
        RenderedFile(
            name: "\(name).swift",
            source: Self.source,
            body: "// The names are Apple's.\n// swift-format-ignore-file: AlwaysUseLowerCamelCase\n\n\(body)"
        )
    }

    private func constants(_ prefix: String) -> String { constants { $0.hasPrefix(prefix) } }

    private func constants(where isIncluded: (String) -> Bool) -> String {
        constants.filter { isIncluded($0.name) && !$0.name.contains(".") }
            .map { name, value in
                let meaning = catalogNames[value].map { "The type \($0)." } ?? "Apple's constant `\(name)`."
                let literal = "public let \(name): String = \"\(value)\""
                let isLong = literal.count > 120
                let shown = isLong ? "public let \(name): String =\n    \"\(value)\"" : literal
                return "/// \(meaning)\n\(shown)\n"
            }
            .joined()
    }

    private func enumeration(_ type: String, _ cases: [(name: String, value: Int)]) -> String {
        var known: [Int: String] = [:]
        var members = ""
        for (name, value) in cases {
            if let other = known[value] {
                members += "    /// The same as `\(other)`.\n    public static let \(name) = \(type).\(other)\n"
            } else {
                known[value] = name
                members += "    /// \(Self.words(name)) (\(value)).\n    case \(name) = \(value)\n"
            }
        }
        let raw = Self.unsignedTypes.contains(type) ? "UInt" : "Int"
        return "/// Apple's enumeration `\(type)`.\npublic enum \(type): \(raw), Sendable {\n\(members)}\n"
    }

    private func errorCodes(_ cases: [(name: String, value: Int)]) -> String {
        let (former, code) = (Self.formerCode.name, Self.formerCode.code)
        let codes =
            cases.map { "        /// \(Self.words($0.name)) (\($0.value)).\n        case \($0.name) = \($0.value)\n" }
            .joined()
        let members =
            cases.map { "    /// The code `\($0.name)`.\n    public static var \($0.name): Code { .\($0.name) }\n" }
            .joined()
        return """
            extension HMError {
                /// The reasons of errors.
                public enum Code: Int, Sendable, CaseIterable {
            \(codes)
                    /// The same as `\(code)`.
                    @available(*, deprecated, renamed: "\(code)")
                    public static let \(former) = Code.\(code)
                }

            \(members)    /// The code `\(code)`.
                @available(*, deprecated, renamed: "\(code)")
                public static var \(former): Code { .\(code) }
            }

            """
    }
}
