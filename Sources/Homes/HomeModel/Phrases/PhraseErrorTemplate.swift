/// An error in a phrase, without the words that it concerns.
struct PhraseErrorTemplate: Sendable {
    var code = HomeError.Code.invalidValue
    let reason: String
    let remedy: String
}

extension HomeError {
    /// Creates an error about a mistake.
    ///
    /// - Parameter text: The words with the mistake.
    init(_ template: PhraseErrorTemplate, in text: String) {
        self.init(template.code, at: ObjectName.quoted(text), template.reason, remedy: template.remedy)
    }
}

// Mistakes in commands.
extension PhraseErrorTemplate {
    /// The command has no action.
    static let nothingToDo = PhraseErrorTemplate(
        reason: "It does not say what to do.",
        remedy: "Say a state or a value, such as on, off or 50%."
    )

    /// The command names no service.
    static let nothingToChange = PhraseErrorTemplate(
        code: .unknownObject,
        reason: "It does not say what to change.",
        remedy: "Name a service, a room, a zone, a group or a type, such as \"the lights\"."
    )

    /// Words say opposite things.
    static let contradiction = PhraseErrorTemplate(
        code: .ambiguousName,
        reason: "These words contradict each other.",
        remedy: "Say one thing at a time."
    )

    /// The phrase states a fact.
    static let statement = PhraseErrorTemplate(
        reason: "This is a statement, and not a command.",
        remedy: "Say what to do, such as \"lock the front door\", or ask, such as \"is the front door locked?\"."
    )

    /// Something is to be done at another time.
    static let later = PhraseErrorTemplate(reason: "A phrase acts now.", remedy: "Add an automation for later.")

    /// Something is to be done under a condition.
    static let conditional = PhraseErrorTemplate(
        reason: "A phrase acts now and has no conditions.",
        remedy: "Add an automation with a condition."
    )

    /// Only something is to be changed, and what happens to everything else is not said.
    static let only = PhraseErrorTemplate(
        reason: "A phrase changes what it names, and says nothing about the rest.",
        remedy: "Say what to do with the rest, too, such as \"turn off all lights except the desk lamp\"."
    )

    /// It is dark, but it is not said where, or what is to be done.
    static let dark = PhraseErrorTemplate(
        code: .ambiguousName,
        reason: "This word does not say what to do.",
        remedy: "Say on, off, dimmer, or a value, such as 10%; or where it is dark: \"it's dark in the hall\"."
    )

    /// A scene is named together with something else.
    static let sceneWithCommands = PhraseErrorTemplate(
        reason: "A scene cannot be combined with other commands or scenes.",
        remedy: "Say the name of the scene alone, and the rest in another phrase."
    )
}

// Mistakes in the description of services, scenes and values.
extension PhraseErrorTemplate {
    /// Some services of several are meant, and it is not known which ones.
    static let counted = PhraseErrorTemplate(
        code: .ambiguousName,
        reason: "A phrase cannot choose some of several services.",
        remedy: "Name each of them, or say all."
    )

    /// A word chooses services by how they are, which a phrase cannot.
    static let adjective = PhraseErrorTemplate(
        code: .ambiguousName,
        reason: "A phrase cannot choose services by their state or color.",
        remedy: "Name them. To find them, ask, such as \"which lights are on?\"."
    )

    /// An exception is not a part of what is named.
    static let uselessException = PhraseErrorTemplate(
        reason: "This exception excludes nothing, because it is not a part of what is named.",
        remedy: "Leave it out, or name what it is a part of."
    )

    /// A word such as "front door's" has nothing after it that can belong to it.
    static let ownerAlone = PhraseErrorTemplate(
        reason: "Nothing follows that belongs to it.",
        remedy: "Leave out \"'s\", or say a property or a device after it, such as \"the mood light's brightness\"."
    )

    /// No scene has the name that the word "scene" announces.
    static let unknownScene = PhraseErrorTemplate(
        code: .unknownObject,
        reason: "No scene is named with this word.",
        remedy: "Say the name of a scene of the home, or leave the word out."
    )

    /// Cameras are out of scope.
    static let camera = PhraseErrorTemplate(
        reason: "Cameras cannot be shown here.",
        remedy: "Use the app of the camera."
    )

    /// A unit has no number.
    static let withoutNumber = PhraseErrorTemplate(
        reason: "This unit has no number.",
        remedy: "Write the number before it, such as 50% or 21 degrees."
    )

    /// An amount such as "a little" without a step.
    static let amountWithoutStep = PhraseErrorTemplate(
        reason: "Words such as \"a little\" and \"much\" belong to a step.",
        remedy: "Say a step, such as brighter, dimmer, up or down; or leave these words out."
    )

    /// The word "by" has no step or no size.
    static let byWithoutStep = PhraseErrorTemplate(
        reason: "The word \"by\" needs a step and its size.",
        remedy: "Say both, such as \"brighter by 10%\"; or a value, such as \"to 50%\"."
    )
}

// Mistakes in questions.
extension PhraseErrorTemplate {
    /// A question is about another time.
    static let anotherTime = PhraseErrorTemplate(
        reason: "A question is about the present.",
        remedy: "The journal of the home says what has happened, and why."
    )

    /// A question negates a state.
    static let negatedQuestion = PhraseErrorTemplate(
        reason: "A question cannot have a \"not\" before a state.",
        remedy: "Ask for the opposite, such as \"which lights are off?\"."
    )

    /// A description of services contains a state.
    static let describedState = PhraseErrorTemplate(
        reason: "This asks for a state, and does not only describe services.",
        remedy: "Leave the state out, or ask, such as \"which lights are on?\"."
    )

    /// A description of services contains users.
    static let describedUsers = PhraseErrorTemplate(
        reason: "This is about users, and not about services.",
        remedy: "Ask \"who is home?\"."
    )

    /// Sensors are asked for names or a number of people.
    static let countedPeople = PhraseErrorTemplate(
        reason: "Sensors tell only whether someone is there.",
        remedy: "Ask for \"someone\", such as \"is someone in the bedroom?\"."
    )

    /// A question names several users.
    static let severalUsers = PhraseErrorTemplate(
        reason: "A question is about one user, or about all of them.",
        remedy: "Ask for each of them, or \"who is home?\"."
    )

    /// A question names a scene.
    static let askedScene = PhraseErrorTemplate(
        reason: "A question does not run a scene.",
        remedy: "Say the name of the scene without a question."
    )
}
