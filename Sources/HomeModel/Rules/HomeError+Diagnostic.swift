extension HomeError {
    /// What is wrong and what would be right, in a sentence without its full stop.
    package var diagnosticText: String {
        "\(reasonText); \(remedyText)"
    }

    /// What is left out as long as an accessory is missing; it is wrong only if it is spelt wrong.
    package var pendingText: String {
        // There are so many of those that not all are told.
        guard code != .tooMany else { return diagnosticText }
        let hint = ["Did you mean", "Say its"].contains(where: remedy.hasPrefix) ? "; \(remedyText)" : ""
        return "left out until the accessory is found: \(reasonText)\(hint)"
    }

    private var remedyText: String {
        var remedy = remedy
        if remedy.last == "." { remedy.removeLast() }
        return remedy.prefix(1).lowercased() + remedy.dropFirst()
    }

    private var reasonText: String {
        var reason = reason
        if reason.last == "." { reason.removeLast() }
        let starts = ["A ", "An ", "The ", "There ", "No ", "Nobody ", "It ", "Its ", "What ", "Something "]
        if starts.contains(where: reason.hasPrefix) {
            reason = reason.prefix(1).lowercased() + reason.dropFirst()
        }
        return reason
    }
}
