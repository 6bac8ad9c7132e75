extension HomeError {
    /// The reason and the remedy in a sentence without its full stop.
    package var diagnosticText: String {
        "\(reasonText); \(remedyText)"
    }

    /// The text for a part that is left out while an accessory is missing.
    ///
    /// It contains the remedy only if the name may be misspelled.
    package var pendingText: String {
        // This error says that there are more pending parts than those reported.
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
        let starts = ["A ", "An ", "The ", "There ", "No ", "It ", "Its ", "What ", "Something "]
        if starts.contains(where: reason.hasPrefix) {
            reason = reason.prefix(1).lowercased() + reason.dropFirst()
        }
        return reason
    }
}
