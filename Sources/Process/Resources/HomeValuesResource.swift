package import AccessoryModel
package import Documents
package import HomeModel

/// The values of characteristics of a home.
package struct HomeValuesResource: Sendable {
    private struct Entry {
        let name: String
        let value: CharacteristicValue?
        let text: String?
    }

    private let values: [Entry]

    /// - Parameters:
    ///   - selectors: The characteristics.
    ///   - values: Their values. Those that could not be read are missing.
    ///   - home: The home.
    package init(
        _ selectors: [CharacteristicSelector],
        _ values: [CharacteristicSelector: CharacteristicValue],
        in home: HomeIndex
    ) {
        self.values = selectors.map { selector in
            Entry(
                name: home.text(of: selector),
                value: values[selector],
                text: values[selector].map { home.text(of: $0, for: selector) }
            )
        }
    }

    package static let format = Format<HomeValuesResource>(
        response: "HomeValues",
        .written("values", \.values, .list(of: entry), "The values.")
    )

    private static let entry = Format<Entry>(
        response: "HomeValue",
        .written("name", \.name, .string, "The service and the characteristic."),
        .written("value", \.value, .value, "The value; missing if it could not be read."),
        .written("text", \.text, .string, "The value in words.")
    )
}
