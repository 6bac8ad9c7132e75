import AccessoryModel
import AsyncPrimitives
import HAPController
import HAPCore

/// A report on an accessory that this machine's controller is paired with: its other pairings, and its speed.
struct PairedReport: Sendable, Hashable {
    /// The measurements and data from a session.
    struct Session: Sendable, Hashable {
        /// The time to open the connection.
        var connectDuration: Duration
        /// The time of pair-verify, until the session was open.
        var verifyDuration: Duration
        /// The median time of a read, or `nil` if nothing can be read.
        var readDuration: Duration?
        /// The pairings, or `nil` if the accessory does not report them because this controller is not an admin.
        var pairings: [Pairing]?
    }

    var alias: String
    var controller: ControllerIdentifier
    var session: Result<Session, ControllerError>

    /// The number of reads that are measured.
    private static let sampleCount = 10

    /// Inspects the accessory at an endpoint, which should be the accessory of this pairing.
    static func inspect(at place: AccessoryEndpoint, as stored: StoredPairing, of identity: ControllerIdentity) async
        -> PairedReport
    {
        let session = await Result { () async throws(ControllerError) in try await measure(place, stored, identity) }
        return PairedReport(alias: stored.alias, controller: identity.identifier, session: session)
    }

    private static func measure(
        _ place: AccessoryEndpoint,
        _ stored: StoredPairing,
        _ identity: ControllerIdentity
    ) async throws(ControllerError) -> Session {
        var configuration = ControllerConfiguration()
        configuration.connectionTime = .seconds(3)
        configuration.pairVerifyTime = .seconds(3)
        configuration.requestTime = .seconds(3)
        let opened = try await MeasuredSession.open(
            to: place,
            as: stored,
            identity: identity,
            configuration: configuration
        )
        let session = await Result { () async throws(ControllerError) in try await measure(opened) }
        await opened.accessory.close()
        return try session.get()
    }

    private static func measure(_ opened: MeasuredSession) async throws(ControllerError) -> Session {
        let accessory = opened.accessory
        var session = Session(connectDuration: opened.connectDuration, verifyDuration: opened.verifyDuration)
        if let id = try await accessory.accessories().firstReadable {
            var times: [Duration] = []
            for _ in 0..<sampleCount {
                times.append(try await duration(of: id, in: accessory))
            }
            session.readDuration = times.sorted()[times.count / 2]
        }
        do throws(ControllerError) {
            session.pairings = try await accessory.pairings()
        } catch {
            guard case .refused = error.code else { throw error }
        }
        return session
    }

    private static func duration(
        of id: CharacteristicID,
        in accessory: PairedAccessory
    ) async throws(ControllerError) -> Duration {
        let began = ContinuousClock.now
        _ = try await accessory.read([id])
        return began.duration(to: .now)
    }
}

extension PairedReport {
    /// The results of the inspection.
    var results: [CheckResult] {
        let subject = CheckSubject("Session")
        switch session {
        case .failure(let error) where error.code == .wrongAccessory:
            return [
                CheckSubject("Identity")
                    .problem(
                        "It is not the accessory paired as \(CheckResult.quotedExcerpt(alias)): \(error.reason)",
                        remedy: error.remedy
                    )
            ]
        case .failure(let error):
            return [
                subject.problem(
                    "This machine is paired with it as \(CheckResult.quotedExcerpt(alias)), but the session fails: "
                        + error.reason,
                    remedy: error.remedy
                )
            ]
        case .success(let session):
            return [
                subject.ok(
                    "This machine is paired with it as \(CheckResult.quotedExcerpt(alias)), and the session works."
                )
            ] + [pairingsResult(session), speedResult(session)].compactMap { $0 }
        }
    }

    private func pairingsResult(_ session: Session) -> CheckResult? {
        let subject = CheckSubject("Pairings")
        guard let pairings = session.pairings else {
            return subject.note("It does not report its pairings, because this machine is not an admin there.")
        }
        let names = pairings.map { pairing in
            let marks = [pairing.identifier == controller ? "this machine" : nil, pairing.isAdmin ? "admin" : nil]
                .compactMap { $0 }
            let name = CheckResult.quotedExcerpt(pairing.identifier.description)
            return marks.isEmpty ? name : "\(name) (\(marks.joined(separator: ", ")))"
        }
        return subject.ok("It is paired with \(counted(names.count, "controller")): \(names.joined(separator: ", ")).")
    }

    private func speedResult(_ session: Session) -> CheckResult {
        let opening =
            "Connecting takes \(session.connectDuration.inMilliseconds), pair-verify "
            + "\(session.verifyDuration.inMilliseconds)"
        var microseconds = [
            "connecting": session.connectDuration.inMicroseconds, "verifying": session.verifyDuration.inMicroseconds,
        ]
        guard let reading = session.readDuration else {
            return CheckResult("Speed", .ok, "\(opening).", microseconds: microseconds)
        }
        microseconds["reading"] = reading.inMicroseconds
        let isSlow = session.connectDuration + session.verifyDuration > .seconds(1) || reading >= .milliseconds(500)
        return CheckResult(
            "Speed",
            isSlow ? .note : .ok,
            "\(opening), and a read \(reading.inMilliseconds) (the median of 10).",
            remedy: isSlow
                ? "That is slow. Check the connection (Wi-Fi), and whether many controllers use it." : nil,
            microseconds: microseconds
        )
    }
}
