import Discovery
import HAPController
import HAPCore

extension RemoteReport {
    /// What the look means, from the outside in.
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
            remedy: isSlow ? "That is slow. See how well it is reached (Wi-Fi)." : nil,
            microseconds: ["answering": answering.inMicroseconds]
        )
    }

    /// That it says nowhere whether it is paired, as nothing that it announces was seen.
    var unknownPairingResults: [CheckResult] {
        guard service == nil, case .message = accessories else { return [] }
        return [
            CheckSubject("Pairing")
                .note("Whether it is paired is not known here: an accessory tells that in what it announces.")
        ]
    }

    private var reachabilityResult: CheckResult {
        let subject = CheckSubject("Reach")
        guard let addresses else {
            return subject.unreachable(
                "Nobody tells the address of \(target.host) in time.",
                remedy: "See whether the name server answers, or give the address itself."
            )
        }
        guard !addresses.isEmpty else {
            let remedy =
                target.host.lowercased().hasSuffix(".local")
                ? "Install libnss-mdns, which looks such names up, or give the address itself."
                : "Check the spelling, or give the address itself."
            return subject.unreachable("There is no machine called \(target.host).", remedy: remedy)
        }
        guard let failure else { return subject.ok("\(target) takes connections.") }
        if failure.isRefusal {
            return subject.unreachable(
                "The machine is there, and nothing listens on port \(target.port).",
                remedy:
                    "Start the accessory; its present port is the one that it announces (avahi-browse -rt _hap._tcp)."
            )
        }
        return subject.unreachable(
            "\(target) does not take connections: \(failure).",
            remedy: failure == .timedOut
                ? "See whether it is switched on and in this network, and whether a firewall drops TCP port \(target.port)."
                : "See whether it is in this network and which way leads there (ip route get \(addresses.first ?? ""))."
        )
    }

    private static func httpResult(_ response: HTTPProbeResult) -> CheckResult {
        let subject = CheckSubject("HTTP")
        let otherRemedy = "Check the port: another program may listen there."
        switch response {
        case .message(let message) where message.status == 470:
            return subject.ok("It answers, and tells strangers nothing (470).")
        case .message(let message) where [401, 403].contains(message.status):
            return subject.ok("It answers, and tells strangers nothing (\(message.status); Apple says 470).")
        case .message(let message) where message.status == 200:
            return subject.problem(
                "It shows /accessories to anyone who asks: it is no HomeKit accessory, or one without protection.",
                remedy: "If it is an accessory: switch off its insecure or debugging mode."
            )
        case .message(let message):
            return subject.problem(
                "It answers /accessories with status \(message.status), which no HomeKit accessory does.",
                remedy: otherRemedy
            )
        case .malformed(let reason):
            return subject.problem("What it answers is not HTTP: \(reason).", remedy: otherRemedy)
        case .closed:
            return subject.problem(
                "It closes the connection without an answer.",
                remedy: "\(otherRemedy) An accessory does this when it has too many connections."
            )
        case .timedOut:
            return subject.unreachable(
                "It takes the connection and says nothing.",
                remedy: "Restart the accessory, which hangs. \(otherRemedy)"
            )
        }
    }

    private static func identityResult(_ identity: Identity) -> CheckResult {
        let subject = CheckSubject("Identity")
        switch identity {
        case .reported(let identifier):
            return subject.ok("In pair-verify it says that it is \(CheckResult.quotedExcerpt(identifier)).")
        case .refused(.authentication):
            return subject.ok("It refuses pair-verify, as some accessories do while nobody is paired.")
        case .refused(let error):
            return subject.note("It refuses pair-verify with \(error).", remedy: "Ask again in a minute.")
        case .failed(let reason):
            return subject.problem(
                "It does not speak pair-verify: \(reason).",
                remedy: "Check the port, and update the accessory's firmware or software."
            )
        }
    }

    private var announcementResults: [CheckResult] {
        let subject = CheckSubject("Discovery")
        if case .failure = services {
            return [
                subject.note(
                    "What it announces was not looked at, as no Avahi daemon answers here.",
                    remedy: "Start one with `systemctl start avahi-daemon` and ask again."
                )
            ]
        }
        guard let service else {
            return [
                subject.problem(
                    "No accessory with this address and port is announced: controllers that look for it do not find it.",
                    remedy: "Both machines must be in one network that lets multicast through (UDP port 5353)."
                )
            ]
        }
        var diagnostics: [CheckResult] = []
        if failure?.isRefusal == true, service.port == target.port {
            diagnostics += subject.note(
                "It is still announced as \(CheckResult.quotedExcerpt(service.name)), as when it was killed or has just ended."
            )
        } else if service.port == target.port {
            diagnostics += subject.ok("It is announced as \(CheckResult.quotedExcerpt(service.name)).")
        } else {
            diagnostics += subject.problem(
                "It is announced as \(CheckResult.quotedExcerpt(service.name)) with another port, \(service.port).",
                remedy: "Restart the accessory, or the Avahi daemon here if it remembers what is past."
            )
        }
        var check = AnnouncementCheck(service: service)
        if case .reported(let identifier) = identity {
            check.identifier = identifier
        }
        return diagnostics + check.results
    }
}
