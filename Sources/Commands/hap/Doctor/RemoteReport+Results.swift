import Discovery
import HAPController
import HAPCore

extension RemoteReport {
    /// The results of the inspection, ordered from the network connection to the accessory itself.
    var results: [CheckResult] {
        var diagnostics = [reachabilityResult]
        if let accessories {
            diagnostics.append(Self.httpResult(accessories))
        }
        if let identity {
            diagnostics.append(Self.identityResult(identity))
        }
        if let responseTime {
            diagnostics.append(Self.speedResult(responseTime))
        }
        return diagnostics + announcementResults
    }

    private static func speedResult(_ answering: Duration) -> CheckResult {
        let isSlow = answering > .seconds(1)
        return CheckResult(
            "Speed",
            isSlow ? .note : .ok,
            "A connection and its first answer take \(answering.inMilliseconds).",
            remedy: isSlow ? "That is slow. Check the connection (Wi-Fi)." : nil,
            microseconds: ["answering": answering.inMicroseconds]
        )
    }

    /// A note that the accessory may or may not be paired, if no announcement of it was seen.
    var unknownPairingResults: [CheckResult] {
        guard service == nil, case .success = accessories else { return [] }
        return [
            CheckSubject("Pairing")
                .note("It is not known whether it is paired: only its announcement shows that.")
        ]
    }

    private var reachabilityResult: CheckResult {
        let subject = CheckSubject("Reach")
        guard let addresses else {
            return subject.unreachable(
                "The address of \(target.host) was not found in time.",
                remedy: "Check that the name server answers, or give the address itself."
            )
        }
        guard !addresses.isEmpty else {
            let remedy =
                target.host.lowercased().hasSuffix(".local")
                ? "Install libnss-mdns, which resolves such names, or give the address itself."
                : "Check the spelling, or give the address itself."
            return subject.unreachable("There is no machine with the name \(target.host).", remedy: remedy)
        }
        guard let failure else { return subject.ok("\(target) accepts connections.") }
        if failure.isRefusal {
            return subject.unreachable(
                "The machine answers, but no process listens on port \(target.port).",
                remedy:
                    "Start the accessory; its announcement shows its current port (avahi-browse -rt _hap._tcp)."
            )
        }
        return subject.unreachable(
            "\(target) does not accept connections: \(failure).",
            remedy: failure == .timedOut
                ? "Check that it is turned on and on this network, and that no firewall blocks TCP port \(target.port)."
                : "Check that it is on this network, and check the route to it (ip route get \(addresses.first ?? ""))."
        )
    }

    private static func httpResult(_ response: Result<HTTPMessage, ControllerError>) -> CheckResult {
        let subject = CheckSubject("HTTP")
        let otherRemedy = "Check the port: another program may be listening there."
        switch response {
        case .success(let message) where message.status == 470:
            return subject.ok("It answers, and refuses unpaired requests (470).")
        case .success(let message) where [401, 403].contains(message.status):
            return subject.ok("It answers, and refuses unpaired requests (\(message.status); HAP requires 470).")
        case .success(let message) where message.status == 200:
            return subject.problem(
                "It answers /accessories without a session: it is not a HomeKit accessory, or it is unprotected.",
                remedy: "If it is an accessory, turn off its insecure or debugging mode."
            )
        case .success(let message):
            return subject.problem(
                "It answers /accessories with status \(message.status), which no HomeKit accessory does.",
                remedy: otherRemedy
            )
        case .failure(let error):
            switch error.code {
            case .malformed(let fault):
                return subject.problem("Its answer is not HTTP: \(fault).", remedy: otherRemedy)
            case .timedOut:
                return subject.unreachable(
                    "It accepts the connection, but sends no answer.",
                    remedy: "Restart the accessory, which does not respond. \(otherRemedy)"
                )
            default:
                return subject.problem(
                    "It closes the connection without an answer.",
                    remedy: "\(otherRemedy) An accessory does this when it has too many connections."
                )
            }
        }
    }

    private static func identityResult(_ identity: Identity) -> CheckResult {
        let subject = CheckSubject("Identity")
        switch identity {
        case .reported(let identifier):
            return subject.ok("Its identifier in pair-verify is \(CheckResult.quotedExcerpt(identifier)).")
        case .refused(.authentication):
            return subject.ok("It refuses pair-verify, as some accessories do while they are not paired.")
        case .refused(let error):
            return subject.note("It refuses pair-verify with \(error).", remedy: "Check again in a minute.")
        case .failed(let reason):
            return subject.problem(
                "Pair-verify fails: \(reason).",
                remedy: "Check the port, and update the accessory's firmware or software."
            )
        }
    }

    private var announcementResults: [CheckResult] {
        let subject = CheckSubject("Discovery")
        if case .failure = services {
            return [
                subject.note(
                    "Its announcement was not checked, because no Avahi daemon answers here.",
                    remedy: "Start one with `systemctl start avahi-daemon` and check again."
                )
            ]
        }
        guard let service else {
            return [
                subject.problem(
                    "No accessory with this address and port is announced, so controllers do not find it.",
                    remedy: "Both machines must be on the same network, and it must pass multicast (UDP port 5353)."
                )
            ]
        }
        var diagnostics: [CheckResult] = []
        if failure?.isRefusal == true, service.port == target.port {
            diagnostics += subject.note(
                "It is still announced as \(CheckResult.quotedExcerpt(service.name)): it was killed or has just ended."
            )
        } else if service.port == target.port {
            diagnostics += subject.ok("It is announced as \(CheckResult.quotedExcerpt(service.name)).")
        } else {
            diagnostics += subject.problem(
                "It is announced as \(CheckResult.quotedExcerpt(service.name)) with another port, \(service.port).",
                remedy: "Restart the accessory, or the Avahi daemon here if it has a stale record."
            )
        }
        var check = AnnouncementCheck(service: service)
        if case .reported(let identifier) = identity {
            check.identifier = identifier
        }
        return diagnostics + check.results
    }
}
