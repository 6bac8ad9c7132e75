internal import AccessoryModel
internal import Documents
internal import HomeModel

/// An action of a home in words.
struct HomeActionText: Sendable {
    /// The action as a whole.
    let text: String
    /// The service and the characteristic.
    let characteristic: String
    let value: CharacteristicValue

    init(_ action: HomeAction, in home: some HomeLookup) {
        text = home.text(of: action)
        characteristic = home.text(of: action.characteristic)
        value = action.value
    }

    /// Returns the members of an object that has an action.
    static func properties<Owner>(_ action: @escaping @Sendable (Owner) -> HomeActionText) -> [Property<Owner>] {
        func member<Value>(
            _ key: String,
            _ format: Format<Value>,
            _ documentation: String,
            _ value: @escaping @Sendable (HomeActionText) -> Value
        ) -> Property<Owner> {
            .custom(
                key,
                documentation,
                schema: format.schema,
                write: { owner, _ in format.write(value(action(owner))) }
            )
            .markedRequired()
        }
        return [
            member("action", .string, "The action in words.") { $0.text },
            member("set", .string, "The service and the characteristic.") { $0.characteristic },
            member("to", Format<CharacteristicValue?>.value, "The value.") { $0.value },
        ]
    }

    static let format = Format<HomeActionText>(response: "Action", properties: properties { $0 })
}
