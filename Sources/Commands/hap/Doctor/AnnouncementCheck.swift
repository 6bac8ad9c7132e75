import Discovery
import HAPCore

/// A check of an accessory's announcement against what controllers expect.
struct AnnouncementCheck {
    let service: ResolvedService
    /// The identifier that the accessory reported in pair-verify, or `nil` if it reported none.
    var identifier: String?

    private static let subject = CheckSubject("TXT")

    /// The keys that are checked, in the order of the results.
    private static let keys = ["c#", "ff", "id", "md", "pv", "s#", "sf", "ci", "sh"]

    /// One result for each key with an unexpected value, or a single result that shows all keys.
    ///
    /// A further result reports whether the accessory is paired, if it announces that.
    var results: [CheckResult] {
        var diagnostics = Self.keys.compactMap { result(of: $0) }
        if diagnostics.isEmpty {
            let text = Self.keys.compactMap { key in service.text[key].map { "\(key)=\($0)" } }.joined(separator: " ")
            diagnostics += Self.subject.ok("All keys are as expected: \(text.prefix(200)).")
        }
        if let flags = service.text["sf"].flatMap({ UInt64($0) }) {
            diagnostics += CheckSubject("Pairing")
                .ok(
                    flags & 1 == 1
                        ? "It is not paired, and can be added with its setup code."
                        : "It is paired; to add it elsewhere, remove it from its home first."
                )
        }
        return diagnostics
    }

    /// Returns the result for a key, or `nil` if its value is as expected.
    private func result(of key: String) -> CheckResult? {
        switch key {
        case "id": deviceID
        case "md": model
        case "pv": protocolVersion
        case "sh": setupHash
        default: number(key)
        }
    }

    private func number(_ key: String) -> CheckResult? {
        guard let text = service.text[key] else { return key == "ff" ? nil : missing(key) }
        guard let number = UInt64(text) else { return problem(key, text, "is not a number.") }
        switch (key, number) {
        case ("c#", 0):
            return problem(key, text, "is not at least 1, so controllers never fetch the accessory's structure.")
        case ("c#", 65_536...):
            return note(key, text, "is greater than 65535, which newer controllers do not expect.")
        case ("ff", 1...):
            return note(key, text, "asks for Apple's authentication, which needs a certified accessory.")
        case ("s#", _) where number != 1:
            return note(key, text, "is not 1, which is the only value over IP.")
        case ("sf", _) where number & 4 != 0:
            return note(key, text, "says that the accessory has detected a problem with itself.")
        case ("sf", _) where number & 2 != 0:
            return note(key, text, "says that the accessory is not configured for a Wi-Fi network.")
        case ("sf", 2...):
            return note(key, text, "has unknown flags.")
        case ("ci", 0):
            return problem(key, text, "is the category of bridged accessories, which are never announced.")
        case ("ci", 34...):
            return note(key, text, "is a category that controllers may not know.")
        default:
            return nil
        }
    }

    private var deviceID: CheckResult? {
        guard let text = service.text["id"] else { return missing("id") }
        guard let id = DeviceID(text) else { return problem("id", text, "is not six bytes such as 4A:14:A4:8B:D4:19.") }
        if let identifier, identifier.uppercased() != id.text {
            return problem(
                "id",
                text,
                "differs from \(CheckResult.quotedExcerpt(identifier)) in pair-verify, so controllers refuse it."
            )
        }
        return id.text == text ? nil : note("id", text, "has lowercase letters, which some controllers do not expect.")
    }

    private var model: CheckResult? {
        guard let text = service.text["md"] else { return missing("md") }
        return text.isEmpty ? problem("md", text, "is empty, but must be the name of the model.") : nil
    }

    private var protocolVersion: CheckResult? {
        guard let text = service.text["pv"] else {
            return Self.subject.note("pv is missing; controllers assume 1.0.")
        }
        switch text {
        case "1.1": return nil
        case "1.0": return note("pv", text, "is an old version; 1.1 is expected.")
        default: return problem("pv", text, "is not a version that controllers know; 1.1 is expected.")
        }
    }

    private var setupHash: CheckResult? {
        guard let text = service.text["sh"] else { return nil }
        return Base64.decode(text)?.count == 4
            ? nil
            : problem("sh", text, "is not four bytes in Base64, so scanning the QR code does not find the accessory.")
    }

    private func note(_ key: String, _ value: String, _ sentence: String) -> CheckResult {
        Self.subject.note("\(key)=\(CheckResult.quotedExcerpt(value)) \(sentence)")
    }

    private func problem(_ key: String, _ value: String, _ sentence: String) -> CheckResult {
        Self.subject.problem("\(key)=\(CheckResult.quotedExcerpt(value)) \(sentence)", remedy: Self.remedy)
    }

    private func missing(_ key: String) -> CheckResult {
        Self.subject.problem("\(key) is missing, so controllers ignore the accessory.", remedy: Self.remedy)
    }

    private static let remedy = "Update the firmware or software of the accessory, which announces this value."
}
