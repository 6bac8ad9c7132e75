internal import AccessoryModel

extension HomeError {
    /// A number has no unit, and nothing says that it is a value.
    static func withoutUnit(_ text: String, hasTo: Bool) -> HomeError {
        HomeError(
            .invalidValue,
            at: ObjectName.quoted(text),
            "It is not clear what this number is.",
            remedy:
                "Write its unit, such as \(text.first?.isNumber == true ? text : "50")%\(hasTo ? "" : ", or \"to\" before it")."
        )
    }

    /// Two commands of a phrase set a characteristic to different values.
    static func severalValues(_ type: CharacteristicType, of service: String) -> HomeError {
        HomeError(
            .ambiguousName,
            at: service,
            "The phrase sets \(type) to several values.",
            remedy: "Say one of them, or leave something out with \"except\"."
        )
    }
}
