package import AccessoryModel
package import HAPCore

extension FaultRegistry {
    /// Returns the decision at an injection point, with the events to report.
    package mutating func decision(
        at point: FaultInjectionPoint,
        now: MonotonicInstant
    ) -> (FaultDecision, news: [FaultEvent]) {
        guard !active.isEmpty else { return (.proceed, []) }
        var moment = Evaluation(now: now)
        let decision =
            switch point {
            case .accept(let open): connectionDecision(open, &moment)
            case .request(_, let subject): requestDecision(subject, &moment)
            case .characteristicAccess(_, let id, let isWrite): itemDecision(id, isWrite, &moment)
            case .response(_, let subject, let message): responseDecision(message, to: subject, &moment)
            case .notification(_, let id, let audience): notificationDecision(of: id, audience, &moment)
            case .eventMessage(_, let ids, let message): eventMessageDecision(message, about: ids, &moment)
            case .announcement: FaultDecision.proceed
            }
        return (decision, moment.events)
    }

    /// Returns the number of a fault of the driver of an accessory that acts now, with the events to report.
    ///
    /// A fault without a number has 0; `nil` if none acts.
    package mutating func takes(
        driverFault name: String,
        of aid: AccessoryID,
        now: MonotonicInstant
    ) -> (number: Double?, news: [FaultEvent]) {
        guard !active.isEmpty else { return (nil, []) }
        var moment = Evaluation(now: now)
        let found = applyFaults(on: "the driver of accessory \(aid)", firstOnly: true, &moment) { fault -> Double? in
            guard case .driver(name, let number) = fault.effect else { return nil }
            return fault.scope == .server || fault.scope == .accessory(aid) ? number : nil
        }
        return (found.first, moment.events)
    }

    private mutating func connectionDecision(_ open: Int, _ moment: inout Evaluation) -> FaultDecision {
        applyFaults(on: "a new connection", firstOnly: true, &moment) { fault -> FaultDecision? in
            switch fault.effect {
            case .refuseConnections, .networkLoss(.refuse), .reboot: .reset
            case .connectionLimit(let most) where open > most: .drop
            default: nil
            }
        }
        .first ?? .proceed
    }

    private mutating func requestDecision(_ subject: RequestSummary, _ moment: inout Evaluation) -> FaultDecision {
        let ground = context
        let hangs = applyFaults(on: subject.summary, firstOnly: true, &moment) { fault -> Bool? in
            switch fault.effect {
            case .networkLoss(.silence): true
            case .silence(let kind) where ground.concerns(fault.scope, kind, subject): true
            default: nil
            }
        }
        guard hangs.isEmpty else { return .hang }
        if let decision = quirkDecision(on: subject, at: moment.now) { return decision }
        let ranges = applyFaults(on: subject.summary, &moment) { fault -> ClosedRange<Duration>? in
            switch fault.effect {
            case .latency(let range, let kind) where ground.concerns(fault.scope, kind, subject): range
            case .slowPairSetup(let delay) where subject.path == HAPEndpoint.pairSetup.path: delay...delay
            default: nil
            }
        }
        let delay = ranges.reduce(Duration.zero) { $0 + draw(from: $1) }
        return delay > .zero ? .delay(delay) : .proceed
    }

    /// Returns the decision for a request that a device with the active quirks does not handle; `nil` for any other.
    private func quirkDecision(on subject: RequestSummary, at now: MonotonicInstant) -> FaultDecision? {
        let form = subject.form
        for profile in quirks(at: now) {
            switch profile {
            case .requestSize(let maximum) where form.byteCount > maximum: return .hang
            case .pathSize(let maximum) where form.targetByteCount > maximum:
                return .replace(Array("HTTP/1.1 414 URI Too Long\r\nContent-Length: 0\r\n\r\n".utf8))
            case .readSize(let maximum) where subject.method == .get && subject.characteristics.count > maximum:
                return .respond(.failure(.multiStatus, .outOfResources))
            case .subscriptionsByAccessory
            where Set(subject.writes.lazy.filter { $0.ev == true }.map(\.address.aid)).count > 1:
                return .respond(HTTPResponse(.noContent))
            case .ignoredTrue where subject.writes.contains { $0.value == .bool(true) }:
                return .respond(HTTPResponse(.noContent))
            case .lengthBeforeType where form.hasTypeBeforeLength, .hostWithoutPort where form.hasPortInHost:
                return .respond(HTTPResponse(.badRequest))
            default: break
            }
        }
        return nil
    }

    private func quirks(at now: MonotonicInstant) -> [QuirkProfile] {
        active.compactMap { entry in
            guard case .quirk(let profile) = entry.fault.effect, !entry.isExpired(at: now) else { return nil }
            return profile
        }
    }

    private mutating func itemDecision(_ id: CharacteristicID, _ isWrite: Bool, _ moment: inout Evaluation)
        -> FaultDecision
    {
        let ground = context
        let place = "the \(isWrite ? "write" : "read") of \(id)"
        return applyFaults(on: place, firstOnly: true, &moment) { fault -> FaultDecision? in
            guard ground.contains(id, in: fault.scope) else { return nil }
            switch fault.effect {
            case .status(_, .reads) where isWrite, .status(_, .writes) where !isWrite: return nil
            case .status(let status, _): return .fail(status)
            case .unreachable: return .fail(.unableToPerform)
            default: return nil
            }
        }
        .first ?? .proceed
    }

    private mutating func responseDecision(
        _ message: [UInt8],
        to subject: RequestSummary,
        _ moment: inout Evaluation
    ) -> FaultDecision {
        let ground = context
        // Responses to requests that arrived before the network was lost are dropped, too.
        guard conditions.reachability != .unresponsive else { return .drop }
        var transmission = quirkTransmission(of: message, to: subject, at: moment.now)
        let damages = applyFaults(on: "the answer to \(subject.summary)", firstOnly: true, &moment) {
            fault -> Transmission? in
            switch fault.effect {
            case .halfResponse(let kind) where ground.concerns(fault.scope, kind, subject):
                Transmission(isHalf: true, ending: .stall)
            case .resetInResponse(let kind) where ground.concerns(fault.scope, kind, subject):
                Transmission(isHalf: true, ending: .reset)
            case .corruptFrame where !subject.isPlaintext && ground.concerns(fault.scope, .any, subject):
                Transmission(isCorrupt: true)
            default: nil
            }
        }
        if let damage = damages.first {
            transmission.isHalf = damage.isHalf
            transmission.isCorrupt = damage.isCorrupt
            transmission.ending = damage.ending
        }
        return transmission == Transmission() ? .proceed : .transmit(transmission)
    }

    private mutating func notificationDecision(
        of id: CharacteristicID,
        _ audience: EventRecipient,
        _ moment: inout Evaluation
    ) -> FaultDecision {
        let ground = context
        let decisive = applyFaults(on: "an event of \(id)", firstOnly: true, &moment) {
            fault -> FaultDecision? in
            guard ground.contains(id, in: fault.scope) else { return nil }
            switch (fault.effect, audience) {
            case (.dropEvents, .subscriber), (.unreachable, .subscriber), (.networkLoss(.silence), .subscriber):
                return .drop
            case (.echoEvents, .writer), (.quirk(.echoedEvents), .writer): return .notifyAnyway
            case (.eventsAfterUnsubscribe, .unsubscribed): return .notifyAnyway
            default: return nil
            }
        }
        if let decisive = decisive.first { return decisive }
        guard audience == .subscriber else { return .proceed }
        let delays = applyFaults(on: "an event of \(id)", &moment) { fault -> Duration? in
            guard case .delayEvents(let delay) = fault.effect, ground.contains(id, in: fault.scope) else { return nil }
            return delay
        }
        let delay = delays.reduce(Duration.zero) { $0 + min($1, Self.longestDelay) }
        return delay > .zero ? .delay(delay) : .proceed
    }

    private mutating func eventMessageDecision(
        _ message: [UInt8],
        about ids: [CharacteristicID],
        _ moment: inout Evaluation
    ) -> FaultDecision {
        let ground = context
        guard conditions.reachability != .unresponsive else { return .drop }
        rememberPresses(in: message, about: ids, at: moment.now)
        var transmission = quirkTransmission(of: message, to: nil, at: moment.now)
        let duplicates = applyFaults(on: "an event message", &moment) { fault -> Bool? in
            guard fault.effect == .duplicateEvents, ids.contains(where: { ground.contains($0, in: fault.scope) })
            else { return nil }
            return true
        }
        transmission.count += duplicates.count
        return transmission == Transmission() ? .proceed : .transmit(transmission)
    }

    /// Stores the presses that an event message reports, if a quirk returns them to a later read.
    private mutating func rememberPresses(
        in message: [UInt8],
        about ids: [CharacteristicID],
        at now: MonotonicInstant
    ) {
        guard quirks(at: now).contains(.rememberedPress), ids.contains(where: context.buttons.contains),
            let body = ParsedMessage(message)?.body, let event = try? CharacteristicResponse(parsing: body)
        else { return }
        for item in event.items {
            if let id = item.address.id, context.buttons.contains(id), let value = item.value {
                presses[id] = value
            }
        }
    }

    /// Returns the transmission of a message under the active quirks.
    ///
    /// - Parameter subject: The request that a response answers; `nil` for an event message.
    private func quirkTransmission(
        of message: [UInt8],
        to subject: RequestSummary?,
        at now: MonotonicInstant
    ) -> Transmission {
        var transmission = Transmission()
        var style = MessageQuirks()
        let isEvent = subject == nil
        for profile in quirks(at: now) {
            switch profile {
            case .chunkedBodies: style.isChunked = !isEvent
            case .blanksInJSON: style.hasExtraWhitespace = true
            case .oddHeaderCase: style.hasOddHeaders = true
            case .reversedEvents: style.isReversed = isEvent
            case .booleansAsWords: style.booleanIDs = context.booleans
            case .splitSegments(let bytes): transmission.chunkSize = max(1, bytes)
            case .trailingCommas: style.hasTrailingCommas = true
            case .writesWithoutIDs: style.anonymousItemCount = subject?.writes.count ?? 0
            case .rememberedPress: style.presses = isEvent ? [:] : presses
            case .pairingsWithoutSeparators:
                style.omitsSeparators = subject?.path == HAPEndpoint.pairings.path
            case .coalescing, .echoedEvents, .requestSize, .pathSize, .readSize, .subscriptionsByAccessory,
                .ignoredTrue, .lengthBeforeType, .hostWithoutPort:
                break
            }
        }
        transmission.message = style.applied(to: message)
        return transmission
    }
}

extension FaultDecision {
    /// Answers a request with a response, without handling it.
    fileprivate static func respond(_ response: HTTPResponse) -> FaultDecision {
        var bytes: [UInt8] = []
        response.append(to: &bytes)
        return .replace(bytes)
    }
}

extension FaultContext {
    /// Returns whether a fault of this scope affects a request.
    ///
    /// A fault on only a part of the server affects the requests that name one of its characteristics.
    fileprivate func concerns(_ scope: FaultScope, _ kind: FaultEffect.RequestKind, _ subject: RequestSummary) -> Bool {
        let isAboutCharacteristics = subject.path == HAPEndpoint.characteristics.path
        switch kind {
        case .any: break
        case .reads: guard isAboutCharacteristics, subject.method == .get else { return false }
        case .writes: guard isAboutCharacteristics, subject.method == .put else { return false }
        }
        return scope == .server || subject.characteristics.contains { contains($0, in: scope) }
    }
}

extension RequestSummary {
    /// The description in reports; shortened, because unverified clients may send very long paths.
    fileprivate var summary: String {
        String(description.prefix(100))
    }

    /// Whether the response is sent without encryption.
    fileprivate var isPlaintext: Bool {
        [HAPEndpoint.identify, .pairSetup, .pairVerify].contains { $0.path == path }
    }
}
