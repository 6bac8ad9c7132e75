/// One thing that `hap doctor` looked at: what it is, how it is, and the way out.
struct Finding: Sendable, Hashable {
    /// How bad it is.
    enum State: String, Sendable {
        case ok
        /// Works, and may be the reason why something else does not.
        case note
        /// Does not work.
        case problem
        /// Does not work, since nothing answers.
        case unreachable
    }

    let subject: String
    let state: State
    let sentence: String
    let remedy: String?
    /// What was measured, for scripts.
    let microseconds: [String: Int]

    init(
        _ subject: String,
        _ state: State,
        _ sentence: String,
        remedy: String? = nil,
        microseconds: [String: Int] = [:]
    ) {
        self.subject = subject
        self.state = state
        self.sentence = sentence.printable
        self.remedy = remedy?.printable
        self.microseconds = microseconds
    }

    /// A text of somebody else's for a sentence, cut to a length that can be read.
    static func quote(_ text: String) -> String {
        text.count > 80 ? "'\(text.prefix(80))…'" : "'\(text)'"
    }
}
