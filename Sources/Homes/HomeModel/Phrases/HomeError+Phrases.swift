internal import AccessoryModel
internal import HAPCore

extension HomeError {
    /// Something is to be done at another time.
    static func later(_ text: String) -> HomeError {
        HomeError(
            .invalidValue,
            at: ObjectName.quoted(text),
            "A phrase acts now.",
            remedy: "Add an automation for later with 'hap home add automation'."
        )
    }

    /// A question is about another time.
    static func anotherTime(_ text: String) -> HomeError {
        HomeError(
            .invalidValue,
            at: ObjectName.quoted(text),
            "A question is about the present.",
            remedy: "See what has happened, and why, with 'hap home journal'."
        )
    }

    /// Some services of several are meant, and it is not known which ones.
    static func counted(_ text: String) -> HomeError {
        HomeError(
            .ambiguousName,
            at: ObjectName.quoted(text),
            "A phrase cannot choose some of several services.",
            remedy: "Name each of them, or say all."
        )
    }

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

    /// Cameras are out of scope.
    static func camera(_ text: String) -> HomeError {
        HomeError(
            .invalidValue,
            at: ObjectName.quoted(text),
            "Cameras cannot be shown here.",
            remedy: "Use the app of the camera."
        )
    }

    /// A unit has no number.
    static func withoutNumber(_ text: String) -> HomeError {
        HomeError(
            .invalidValue,
            at: ObjectName.quoted(text),
            "This unit has no number.",
            remedy: "Write the number before it, such as 50% or 21 degrees."
        )
    }

    /// A word chooses services by how they are, which a phrase cannot.
    static func adjective(_ text: String) -> HomeError {
        HomeError(
            .ambiguousName,
            at: ObjectName.quoted(text),
            "A phrase cannot choose services by their state or color.",
            remedy: "Name them. To find them, ask, such as \"which lights are on?\"."
        )
    }

    /// An exception is not a part of what is named.
    static func uselessException(_ text: String) -> HomeError {
        HomeError(
            .invalidValue,
            at: ObjectName.quoted(text),
            "This exception excludes nothing, because it is not a part of what is named.",
            remedy: "Leave it out, or name what it is a part of."
        )
    }

    /// A question negates a state.
    static func negatedQuestion(_ text: String) -> HomeError {
        HomeError(
            .invalidValue,
            at: ObjectName.quoted(text),
            "A question cannot have a \"not\" before a state.",
            remedy: "Ask for the opposite, such as \"which lights are off?\"."
        )
    }

    /// It is dark, but it is not said where, or what is to be done.
    static func dark(_ text: String) -> HomeError {
        HomeError(
            .ambiguousName,
            at: ObjectName.quoted(text),
            "This word does not say what to do.",
            remedy: "Say on, off, dimmer, or a value, such as 10%; or where it is dark: \"it's dark in the hall\"."
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

    /// Only something is to be changed, and what happens to everything else is not said.
    static func only(_ text: String) -> HomeError {
        HomeError(
            .invalidValue,
            at: ObjectName.quoted(text),
            "A phrase changes what it names, and says nothing about the rest.",
            remedy: "Say what to do with the rest, too, such as \"turn off all lights except the desk lamp\"."
        )
    }

    /// Something is to be done under a condition.
    static func conditional(_ text: String) -> HomeError {
        HomeError(
            .invalidValue,
            at: ObjectName.quoted(text),
            "A phrase acts now and has no conditions.",
            remedy: "Add an automation with 'hap home add automation' and its option --if."
        )
    }
}
