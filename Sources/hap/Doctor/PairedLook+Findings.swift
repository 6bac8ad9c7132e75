import HAPController
import HAPCore

extension PairedLook {
    /// What the look means.
    var findings: [Finding] {
        let subject = "Session"
        switch session {
        case .failure(let error):
            return [
                Finding(
                    subject,
                    .problem,
                    "This machine is paired with it as \(Finding.quote(alias)), and that does not work: \(error.reason)",
                    remedy: error.remedy
                )
            ]
        case .success(let session):
            return [
                Finding(subject, .ok, "This machine is paired with it as \(Finding.quote(alias)), and it knows us.")
            ] + [pairings(session), speed(session)].compactMap { $0 }
        }
    }

    private func pairings(_ session: Session) -> Finding? {
        let subject = "Pairings"
        guard let pairings = session.pairings else {
            return Finding(subject, .note, "It does not tell who is paired with it, as we are no admin there.")
        }
        let names = pairings.map { pairing in
            let notes = [pairing.identifier == controller ? "us" : nil, pairing.isAdmin ? "admin" : nil]
            return
                "\(Finding.quote(pairing.identifier.description)) (\(notes.compactMap { $0 }.joined(separator: ", ")))"
                .replacing(" ()", with: "")
        }
        return Finding(subject, .ok, "It knows \(names.count): \(names.joined(separator: ", ")).")
    }

    private func speed(_ session: Session) -> Finding? {
        guard let reading = session.reading else { return nil }
        let sentence =
            "A session opens in \(Self.milliseconds(session.opening)) ms, and a read takes "
            + "\(Self.milliseconds(reading)) ms (the median of 10)."
        guard reading < .milliseconds(500) else {
            return Finding(
                "Speed",
                .note,
                sentence,
                remedy: "That is slow. See how well it is reached (Wi-Fi), and whether many controllers ask it."
            )
        }
        return Finding("Speed", .ok, sentence)
    }

    /// With one digit behind the point.
    private static func milliseconds(_ duration: Duration) -> String {
        let tenths = Int((duration / .milliseconds(1) * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}
