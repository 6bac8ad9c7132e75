package import Documents

/// What a command that changes a home has done.
package struct HomeEditResource: Sendable {
    private let message: String
    private let effects: [String]

    package init(_ message: String, _ effects: [String]) {
        self.message = message
        self.effects = effects
    }

    package static let format = Format<HomeEditResource>(
        response: "HomeEdit",
        .written("message", \.message, .string, "What was changed, in a sentence."),
        .written("effects", \.effects, .list(of: .string), "What else has changed, in sentences.")
    )
}
