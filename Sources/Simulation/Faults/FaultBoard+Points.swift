package import AccessoryModel
package import HAPCore

extension FaultBoard {
    /// What becomes of a thing that is about to happen, with what is to be told of that.
    package mutating func interruption(
        at point: InterferencePoint,
        now: MonotonicInstant
    ) -> (Interruption, news: [FaultNews]) {
        guard !active.isEmpty else { return (.pass, []) }
        var moment = Moment(now: now)
        let interruption =
            switch point {
            case .accept(let open): accept(open, &moment)
            case .request(_, let subject): request(subject, &moment)
            case .item(_, let id, let isWrite): item(id, isWrite, &moment)
            case .response(_, let subject, let message): response(message, to: subject, &moment)
            case .notice(_, let id, let audience): notice(of: id, audience, &moment)
            case .event(_, let ids, let message): event(message, about: ids, &moment)
            case .announcement: Interruption.pass
            }
        return (interruption, moment.news)
    }

    private mutating func accept(_ open: Int, _ moment: inout Moment) -> Interruption {
        answers(on: "a new connection", firstOnly: true, &moment) { fault -> Interruption? in
            switch fault.effect {
            case .refuseConnections, .networkLoss(.refuse), .reboot: .reset
            case .connectionLimit(let most) where open > most: .drop
            default: nil
            }
        }
        .first ?? .pass
    }

    private mutating func request(_ subject: RequestSubject, _ moment: inout Moment) -> Interruption {
        let ground = ground
        let hangs = answers(on: subject.place, firstOnly: true, &moment) { fault -> Bool? in
            switch fault.effect {
            case .networkLoss(.silence): true
            case .silence(let kind) where ground.concerns(fault.scope, kind, subject): true
            default: nil
            }
        }
        guard hangs.isEmpty else { return .hang }
        let ranges = answers(on: subject.place, &moment) { fault -> ClosedRange<Duration>? in
            switch fault.effect {
            case .latency(let range, let kind) where ground.concerns(fault.scope, kind, subject): range
            case .slowPairSetup(let delay) where subject.path == HAPEndpoint.pairSetup.path: delay...delay
            default: nil
            }
        }
        let delay = ranges.reduce(Duration.zero) { $0 + draw(from: $1) }
        return delay > .zero ? .delay(delay) : .pass
    }

    private mutating func item(_ id: CharacteristicID, _ isWrite: Bool, _ moment: inout Moment) -> Interruption {
        let ground = ground
        let place = "the \(isWrite ? "write" : "read") of \(id)"
        return answers(on: place, firstOnly: true, &moment) { fault -> Interruption? in
            guard ground.contains(id, in: fault.scope) else { return nil }
            switch fault.effect {
            case .status(_, .reads) where isWrite, .status(_, .writes) where !isWrite: return nil
            case .status(let status, _): return .fail(status)
            case .unreachable: return .fail(.unableToPerform)
            default: return nil
            }
        }
        .first ?? .pass
    }

    private mutating func response(
        _ message: [UInt8],
        to subject: RequestSubject,
        _ moment: inout Moment
    ) -> Interruption {
        let ground = ground
        // Of what was asked before the network was lost.
        guard conditions.presence != .silent else { return .drop }
        var transmission = style(of: message, isEvent: false, at: moment.now)
        let damages = answers(on: "the answer to \(subject.place)", firstOnly: true, &moment) {
            fault -> Transmission? in
            switch fault.effect {
            case .halfResponse(let kind) where ground.concerns(fault.scope, kind, subject):
                Transmission(isHalf: true, ending: .silence)
            case .resetInResponse(let kind) where ground.concerns(fault.scope, kind, subject):
                Transmission(isHalf: true, ending: .reset)
            case .corruptFrame where !subject.isInClear && ground.concerns(fault.scope, .any, subject):
                Transmission(isCorrupt: true)
            default: nil
            }
        }
        if let damage = damages.first {
            transmission.isHalf = damage.isHalf
            transmission.isCorrupt = damage.isCorrupt
            transmission.ending = damage.ending
        }
        return transmission == Transmission() ? .pass : .transmit(transmission)
    }

    private mutating func notice(
        of id: CharacteristicID,
        _ audience: NoticeAudience,
        _ moment: inout Moment
    ) -> Interruption {
        let ground = ground
        let decisive = answers(on: "an event of \(id)", firstOnly: true, &moment) {
            fault -> Interruption? in
            guard ground.contains(id, in: fault.scope) else { return nil }
            switch (fault.effect, audience) {
            case (.dropEvents, .subscriber), (.unreachable, .subscriber), (.networkLoss(.silence), .subscriber):
                return .drop
            case (.echoEvents, .writer), (.quirk(.echoedEvents), .writer): return .insist
            case (.eventsAfterUnsubscribe, .unsubscribed): return .insist
            default: return nil
            }
        }
        if let decisive = decisive.first { return decisive }
        guard audience == .subscriber else { return .pass }
        let delays = answers(on: "an event of \(id)", &moment) { fault -> Duration? in
            guard case .delayEvents(let delay) = fault.effect, ground.contains(id, in: fault.scope) else { return nil }
            return delay
        }
        let delay = delays.reduce(Duration.zero) { $0 + min($1, Self.longestDelay) }
        return delay > .zero ? .delay(delay) : .pass
    }

    private mutating func event(
        _ message: [UInt8],
        about ids: [CharacteristicID],
        _ moment: inout Moment
    ) -> Interruption {
        let ground = ground
        guard conditions.presence != .silent else { return .drop }
        var transmission = style(of: message, isEvent: true, at: moment.now)
        let duplicates = answers(on: "an event message", &moment) { fault -> Bool? in
            guard fault.effect == .duplicateEvents, ids.contains(where: { ground.contains($0, in: fault.scope) })
            else { return nil }
            return true
        }
        transmission.count += duplicates.count
        return transmission == Transmission() ? .pass : .transmit(transmission)
    }

    /// A message as the quirks on the board have it.
    private func style(of message: [UInt8], isEvent: Bool, at now: MonotonicInstant) -> Transmission {
        var transmission = Transmission()
        var style = MessageStyle()
        for entry in active where !entry.isOver(at: now) {
            guard case .quirk(let profile) = entry.fault.effect else { continue }
            switch profile {
            case .chunkedBodies: style.isChunked = !isEvent
            case .blanksInJSON: style.hasBlanks = true
            case .oddHeaderCase: style.hasOddHeaders = true
            case .reversedEvents: style.isReversed = isEvent
            case .booleansAsWords: style.booleans = ground.booleans
            case .splitSegments(let bytes): transmission.pieceSize = max(1, bytes)
            case .coalescing, .echoedEvents: break
            }
        }
        transmission.message = style.applied(to: message)
        return transmission
    }
}

extension FaultGround {
    /// Whether a fault of this scope concerns a request.
    ///
    /// One that is not put on the whole server concerns those that name one of its characteristics.
    fileprivate func concerns(_ scope: FaultScope, _ kind: FaultEffect.RequestKind, _ subject: RequestSubject) -> Bool {
        let isAboutCharacteristics = subject.path == HAPEndpoint.characteristics.path
        switch kind {
        case .any: break
        case .reads: guard isAboutCharacteristics, subject.method == .get else { return false }
        case .writes: guard isAboutCharacteristics, subject.method == .put else { return false }
        }
        return scope == .server || subject.characteristics.contains { contains($0, in: scope) }
    }
}

extension RequestSubject {
    /// What is told of it: strangers choose paths of many thousand characters.
    fileprivate var place: String {
        String(description.prefix(100))
    }

    /// Whether its answer travels without frames.
    fileprivate var isInClear: Bool {
        [HAPEndpoint.identify, .pairSetup, .pairVerify].contains { $0.path == path }
    }
}
