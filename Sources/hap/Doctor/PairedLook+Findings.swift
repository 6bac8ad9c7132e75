import HAPController
import HAPCore

extension PairedLook {
    /// What the look means.
    var findings: [Finding] {
        let subject = "Session"
        switch session {
        case .failure(let error) where error.code == .wrongAccessory:
            return [
                Finding(
                    "Identity",
                    .problem,
                    "It is not \(Finding.quote(alias)), with which this machine is paired: \(error.reason)",
                    remedy: error.remedy
                )
            ]
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

    private func speed(_ session: Session) -> Finding {
        let opening =
            "Connecting takes \(session.connecting.inMilliseconds), pair-verify \(session.verifying.inMilliseconds)"
        var microseconds = [
            "connecting": session.connecting.inMicroseconds, "verifying": session.verifying.inMicroseconds,
        ]
        guard let reading = session.reading else {
            return Finding("Speed", .ok, "\(opening).", microseconds: microseconds)
        }
        microseconds["reading"] = reading.inMicroseconds
        let isSlow = session.connecting + session.verifying > .seconds(1) || reading >= .milliseconds(500)
        return Finding(
            "Speed",
            isSlow ? .note : .ok,
            "\(opening), and a read \(reading.inMilliseconds) (the median of 10).",
            remedy: isSlow
                ? "That is slow. See how well it is reached (Wi-Fi), and whether many controllers ask it." : nil,
            microseconds: microseconds
        )
    }
}
