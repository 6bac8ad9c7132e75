//
//  SceneStudio.swift
//  The core of an editor for rooms, scenes and triggers.
//

import Foundation
import HomeKit

enum SceneStudioError: LocalizedError {
    case notAuthorized
    case noHome
    case missingRoom(String)
    case missingCharacteristic(String)
    case noResult

    var errorDescription: String? {
        switch self {
        case .notAuthorized: return "Access to the home data has not been granted."
        case .noHome: return "There is no home yet."
        case .missingRoom(let name): return "The room \(name) could not be found."
        case .missingCharacteristic(let type): return "No characteristic of type \(type) in this home."
        case .noResult: return "HomeKit returned neither a result nor an error."
        }
    }
}

class HomeController: NSObject, HMHomeManagerDelegate, HMHomeDelegate {

    let manager = HMHomeManager()
    private(set) var currentHome: HMHome?
    private(set) var log: [String] = []

    private var isAddingHome = false
    private var homeHandlers: [(Result<HMHome, Error>) -> Void] = []

    override init() {
        super.init()
        manager.delegate = self
    }

    private func append(_ line: String) {
        log.append(line)
    }

    // MARK: - Finding the home

    func whenHomeIsReady(_ handler: @escaping (Result<HMHome, Error>) -> Void) {
        if let home = currentHome {
            handler(.success(home))
        } else {
            homeHandlers.append(handler)
        }
    }

    private func finish(with result: Result<HMHome, Error>) {
        if case .success(let home) = result {
            home.delegate = self
            currentHome = home
            append("Using home \(home.name)")
        }
        let handlers = homeHandlers
        homeHandlers.removeAll()
        handlers.forEach { $0(result) }
    }

    private func selectHome() {
        guard currentHome == nil, !isAddingHome else { return }

        if let primary = manager.primaryHome {
            finish(with: .success(primary))
            return
        }

        isAddingHome = true
        manager.addHome(withName: "Kilgo House") { [weak self] home, error in
            guard let self = self else { return }
            self.isAddingHome = false
            guard let home = home else {
                self.append("Could not add a home: \(error?.localizedDescription ?? "unknown error")")
                self.finish(with: .failure(error ?? SceneStudioError.noHome))
                return
            }
            self.manager.updatePrimaryHome(home) { error in
                if let error = error {
                    self.append("Could not make \(home.name) primary: \(error.localizedDescription)")
                }
                self.finish(with: .success(home))
            }
        }
    }

    @MainActor
    private func readyHome() async throws -> HMHome {
        try await withCheckedThrowingContinuation { continuation in
            whenHomeIsReady { continuation.resume(with: $0) }
        }
    }

    private func requireHome() throws -> HMHome {
        guard let home = currentHome else { throw SceneStudioError.noHome }
        return home
    }

    private func characteristic(_ type: String, ofService serviceType: String) throws -> HMCharacteristic {
        let services = try requireHome().servicesWithTypes([serviceType]) ?? []
        for service in services {
            if let match = service.characteristics.first(where: { $0.characteristicType == type }) {
                return match
            }
        }
        throw SceneStudioError.missingCharacteristic(type)
    }

    // MARK: - HMHomeManagerDelegate

    func homeManagerDidUpdateHomes(_ manager: HMHomeManager) {
        append("Homes updated: \(manager.homes.map { $0.name }.joined(separator: ", "))")
        selectHome()
    }

    func homeManager(_ manager: HMHomeManager, didUpdate status: HMHomeManagerAuthorizationStatus) {
        append("Authorized: \(status.contains(.authorized))")
        if status.contains(.determined) && !status.contains(.authorized) {
            finish(with: .failure(SceneStudioError.notAuthorized))
        }
    }

    func homeManagerDidUpdatePrimaryHome(_ manager: HMHomeManager) {
        append("Primary home is now \(manager.primaryHome?.name ?? "none")")
    }

    func homeManager(_ manager: HMHomeManager, didAdd home: HMHome) {
        append("Home added: \(home.name)")
    }

    func homeManager(_ manager: HMHomeManager, didRemove home: HMHome) {
        append("Home removed: \(home.name)")
        if home == currentHome {
            currentHome = nil
        }
    }

    // MARK: - HMHomeDelegate

    func homeDidUpdateName(_ home: HMHome) {
        append("Home renamed: \(home.name)")
    }

    func home(_ home: HMHome, didAdd accessory: HMAccessory) {
        append("Accessory added: \(accessory.name)")
    }

    func home(_ home: HMHome, didRemove accessory: HMAccessory) {
        append("Accessory removed: \(accessory.name)")
    }

    func home(_ home: HMHome, didUpdate room: HMRoom, for accessory: HMAccessory) {
        append("Accessory \(accessory.name) moved to \(room.name)")
    }

    func home(_ home: HMHome, didAdd room: HMRoom) {
        append("Room added: \(room.name)")
    }

    func home(_ home: HMHome, didRemove room: HMRoom) {
        append("Room removed: \(room.name)")
    }

    func home(_ home: HMHome, didUpdateNameFor room: HMRoom) {
        append("Room renamed: \(room.name)")
    }

    func home(_ home: HMHome, didAdd zone: HMZone) {
        append("Zone added: \(zone.name)")
    }

    func home(_ home: HMHome, didRemove zone: HMZone) {
        append("Zone removed: \(zone.name)")
    }

    func home(_ home: HMHome, didAdd room: HMRoom, to zone: HMZone) {
        append("Room \(room.name) added to zone \(zone.name)")
    }

    func home(_ home: HMHome, didAdd actionSet: HMActionSet) {
        append("Scene added: \(actionSet.name)")
    }

    func home(_ home: HMHome, didRemove actionSet: HMActionSet) {
        append("Scene removed: \(actionSet.name)")
    }

    func home(_ home: HMHome, didUpdateNameFor actionSet: HMActionSet) {
        append("Scene renamed: \(actionSet.name)")
    }

    func home(_ home: HMHome, didUpdateActionsFor actionSet: HMActionSet) {
        append("Scene \(actionSet.name) has \(actionSet.actions.count) action(s)")
    }

    func home(_ home: HMHome, didAdd trigger: HMTrigger) {
        append("Trigger added: \(trigger.name)")
    }

    func home(_ home: HMHome, didRemove trigger: HMTrigger) {
        append("Trigger removed: \(trigger.name)")
    }

    func home(_ home: HMHome, didUpdateNameFor trigger: HMTrigger) {
        append("Trigger renamed: \(trigger.name)")
    }

    func home(_ home: HMHome, didUpdate trigger: HMTrigger) {
        append("Trigger updated: \(trigger.name), enabled: \(trigger.isEnabled)")
    }

    func home(_ home: HMHome, didEncounterError error: Error, for accessory: HMAccessory) {
        append("Error for \(accessory.name): \(error.localizedDescription)")
    }

    // MARK: - Rooms and zones

    func prepareRooms(completion: @escaping (Error?) -> Void = { _ in }) {
        guard let home = currentHome else {
            completion(SceneStudioError.noHome)
            return
        }

        let group = DispatchGroup()
        var firstError: Error?

        for name in ["Garage", "Bedroom"] where !home.rooms.contains(where: { $0.name == name }) {
            group.enter()
            home.addRoom(withName: name) { [weak self] room, error in
                if let room = room {
                    self?.append("Created room \(room.name)")
                } else {
                    firstError = firstError ?? error
                }
                group.leave()
            }
        }

        if !home.zones.contains(where: { $0.name == "Upstairs" }) {
            group.enter()
            home.addZone(withName: "Upstairs") { [weak self] zone, error in
                if let zone = zone {
                    self?.append("Created zone \(zone.name)")
                } else {
                    firstError = firstError ?? error
                }
                group.leave()
            }
        }

        group.notify(queue: .main) { [weak self] in
            if let error = firstError {
                completion(error)
            } else {
                self?.furnishRooms(in: home, completion: completion)
            }
        }
    }

    private func furnishRooms(in home: HMHome, completion: @escaping (Error?) -> Void) {
        guard let garage = home.rooms.first(where: { $0.name == "Garage" }) else {
            completion(SceneStudioError.missingRoom("Garage"))
            return
        }
        guard let bedroom = home.rooms.first(where: { $0.name == "Bedroom" }) else {
            completion(SceneStudioError.missingRoom("Bedroom"))
            return
        }

        let group = DispatchGroup()
        var firstError: Error?

        if let upstairs = home.zones.first(where: { $0.name == "Upstairs" }), !upstairs.rooms.contains(bedroom) {
            group.enter()
            upstairs.addRoom(bedroom) { error in
                firstError = firstError ?? error
                group.leave()
            }
        }

        let opener = home.accessories.first { accessory in
            accessory.services.contains { $0.serviceType == HMServiceTypeGarageDoorOpener }
        }
        if let opener = opener, opener.room != garage {
            group.enter()
            home.assignAccessory(opener, to: garage) { [weak self] error in
                if let error = error {
                    firstError = firstError ?? error
                } else {
                    self?.append("Assigned \(opener.name) to \(garage.name)")
                }
                group.leave()
            }
        }

        group.notify(queue: .main) {
            completion(firstError)
        }
    }

    // MARK: - Scenes

    @MainActor
    private func makeActionSet(named name: String) async throws -> HMActionSet {
        let home = try requireHome()
        if let existing = home.actionSets.first(where: { $0.name == name }) {
            for action in existing.actions {
                try await existing.removeAction(action)
            }
            return existing
        }
        return try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<HMActionSet, Error>) in
            home.addActionSet(withName: name) { actionSet, error in
                if let actionSet = actionSet {
                    continuation.resume(returning: actionSet)
                } else {
                    continuation.resume(throwing: error ?? SceneStudioError.noResult)
                }
            }
        }
    }

    @MainActor
    func makeGoodNight() async throws -> HMActionSet {
        let door = try characteristic(HMCharacteristicTypeTargetDoorState, ofService: HMServiceTypeGarageDoorOpener)
        let power = try characteristic(HMCharacteristicTypePowerState, ofService: HMServiceTypeLightbulb)

        let actionSet = try await makeActionSet(named: "Good Night")
        let closeDoor = HMCharacteristicWriteAction(characteristic: door, targetValue: NSNumber(value: 1))
        let lightOff = HMCharacteristicWriteAction(characteristic: power, targetValue: NSNumber(value: false))
        try await actionSet.addAction(closeDoor)
        try await actionSet.addAction(lightOff)
        return actionSet
    }

    @MainActor
    func makeLightTheGarage() async throws -> HMActionSet {
        let power = try characteristic(HMCharacteristicTypePowerState, ofService: HMServiceTypeLightbulb)

        let actionSet = try await makeActionSet(named: "Light the Garage")
        try await actionSet.addAction(
            HMCharacteristicWriteAction(characteristic: power, targetValue: NSNumber(value: true))
        )
        if let brightness = try? characteristic(HMCharacteristicTypeBrightness, ofService: HMServiceTypeLightbulb) {
            let maximum = brightness.metadata?.maximumValue ?? 100
            try await actionSet.addAction(HMCharacteristicWriteAction(characteristic: brightness, targetValue: maximum))
        }
        return actionSet
    }

    func describe(_ actionSet: HMActionSet) -> [String] {
        actionSet.actions
            .compactMap { action -> String? in
                guard let write = action as? HMCharacteristicWriteAction<NSCopying> else { return nil }
                let service = write.characteristic.service?.name ?? "Unknown service"
                return "\(service), \(write.characteristic.localizedDescription) = \(write.targetValue)"
            }
            .sorted()
    }

    @MainActor
    @discardableResult
    func execute(_ actionSet: HMActionSet) async throws -> String {
        let outcome: String
        do {
            try await requireHome().executeActionSet(actionSet)
            outcome = "\(actionSet.name) executed"
        } catch let error as HMError {
            switch error.code {
            case .noActionsInActionSet:
                outcome = "\(actionSet.name) has no actions"
            case .actionSetExecutionInProgress:
                outcome = "\(actionSet.name) is already running"
            case .actionSetExecutionPartialSuccess:
                outcome = "\(actionSet.name) was only partly executed"
            case .actionSetExecutionFailed:
                outcome = "\(actionSet.name) failed"
            case .accessoryNotReachable, .communicationFailure, .operationTimedOut:
                outcome = "\(actionSet.name): an accessory does not respond"
            case .insufficientPrivileges, .homeAccessNotAuthorized:
                throw SceneStudioError.notAuthorized
            default:
                throw error
            }
        }
        append(outcome)
        return outcome
    }

    // MARK: - Triggers

    @MainActor
    private func install(_ trigger: HMTrigger, running actionSet: HMActionSet) async throws {
        try await requireHome().addTrigger(trigger)
        try await trigger.addActionSet(actionSet)
        try await trigger.enable(true)
    }

    @MainActor
    func makeBedtimeTrigger(running actionSet: HMActionSet) async throws -> HMTimerTrigger {
        let bedtime = DateComponents(hour: 23, minute: 0, second: 0)
        let fireDate = Calendar.current.nextDate(after: Date(), matching: bedtime, matchingPolicy: .nextTime)!
        let trigger = HMTimerTrigger(name: "Bedtime", fireDate: fireDate, recurrence: DateComponents(day: 1))
        try await install(trigger, running: actionSet)
        return trigger
    }

    private func darkAndLightOffPredicate() throws -> NSPredicate {
        let power = try characteristic(HMCharacteristicTypePowerState, ofService: HMServiceTypeLightbulb)

        let sunset = HMSignificantTimeEvent(significantEvent: .sunset, offset: nil)
        let afterSunset = HMEventTrigger.predicateForEvaluatingTriggerOccurring(afterSignificantEvent: sunset)
        let atNight = HMEventTrigger.predicateForEvaluatingTriggerOccurringBetweenDate(
            with: DateComponents(hour: 22, minute: 0),
            secondDateWith: DateComponents(hour: 6, minute: 0)
        )
        let lightIsOff = HMEventTrigger.predicateForEvaluatingTrigger(
            power,
            relatedBy: .equalTo,
            toValue: NSNumber(value: false)
        )

        let dark = NSCompoundPredicate(orPredicateWithSubpredicates: [afterSunset, atNight])
        return NSCompoundPredicate(andPredicateWithSubpredicates: [dark, lightIsOff])
    }

    @MainActor
    func makeArrivalTrigger(running actionSet: HMActionSet) async throws -> HMEventTrigger {
        let door = try characteristic(HMCharacteristicTypeCurrentDoorState, ofService: HMServiceTypeGarageDoorOpener)
        let opening = NSNumber(value: HMCharacteristicValueDoorState.opening.rawValue)
        let event = HMCharacteristicEvent(characteristic: door, triggerValue: opening)
        let trigger = HMEventTrigger(
            name: "Door Opens in the Dark",
            events: [event],
            predicate: try darkAndLightOffPredicate()
        )
        try await install(trigger, running: actionSet)
        return trigger
    }

    @MainActor
    func makeWeekdayTrigger(running actionSet: HMActionSet) async throws -> HMEventTrigger {
        let event = HMCalendarEvent(fire: DateComponents(hour: 6, minute: 45))
        let weekdays = (2...6).map { DateComponents(weekday: $0) }
        let trigger = HMEventTrigger(
            name: "Off to Work",
            events: [event],
            end: nil,
            recurrences: weekdays,
            predicate: nil
        )
        try await install(trigger, running: actionSet)
        return trigger
    }

    /// Returns nil when the home has nothing that reports a brightness or a temperature.
    @MainActor
    func makeThresholdTrigger(running actionSet: HMActionSet) async throws -> HMEventTrigger? {
        let event: HMCharacteristicThresholdRangeEvent
        if let temperature = try? characteristic(
            HMCharacteristicTypeCurrentTemperature,
            ofService: HMServiceTypeTemperatureSensor
        ) {
            event = HMCharacteristicThresholdRangeEvent(
                characteristic: temperature,
                thresholdRange: HMNumberRange(minValue: 30)
            )
        } else if let brightness = try? characteristic(
            HMCharacteristicTypeBrightness,
            ofService: HMServiceTypeLightbulb
        ) {
            event = HMCharacteristicThresholdRangeEvent(
                characteristic: brightness,
                thresholdRange: HMNumberRange(minValue: 80, maxValue: 100)
            )
        } else {
            return nil
        }
        let trigger = HMEventTrigger(name: "Out of Range", events: [event], predicate: nil)
        try await install(trigger, running: actionSet)
        return trigger
    }

    // MARK: - Describing triggers

    func describe(_ trigger: HMTrigger) -> String {
        let scenes = trigger.actionSets.map { $0.name }.joined(separator: ", ")
        let state = trigger.isEnabled ? "on" : "off"
        let details: String

        if let timer = trigger as? HMTimerTrigger {
            let time = Calendar.current.dateComponents([.hour, .minute], from: timer.fireDate)
            let days = timer.recurrence?.day ?? 0
            let repeats = days == 0 ? "once" : (days == 1 ? "every day" : "every \(days) days")
            details = "\(repeats) at \(clock(time))"
        } else if let eventTrigger = trigger as? HMEventTrigger {
            var parts = [eventTrigger.events.map { describe($0) }.joined(separator: " or ")]
            if let recurrences = eventTrigger.recurrences, !recurrences.isEmpty {
                let symbols = Calendar.current.shortWeekdaySymbols
                parts.append(
                    "on " + recurrences.compactMap { $0.weekday }.map { symbols[$0 - 1] }.joined(separator: " ")
                )
            }
            if let predicate = eventTrigger.predicate as? NSCompoundPredicate {
                parts.append("under \(predicate.subpredicates.count) condition(s)")
            } else if eventTrigger.predicate != nil {
                parts.append("under 1 condition")
            }
            details = parts.joined(separator: ", ")
        } else {
            details = "unknown kind of trigger"
        }
        return "\(trigger.name) [\(state)]: \(details) → \(scenes)"
    }

    func describe(_ event: HMEvent) -> String {
        if let event = event as? HMCharacteristicEvent<NSCopying> {
            let value = event.triggerValue.map { "becomes \($0)" } ?? "changes"
            return "\(name(of: event.characteristic)) \(value)"
        } else if let event = event as? HMCharacteristicThresholdRangeEvent {
            let low = event.thresholdRange.minValue.map { "\($0)" } ?? "…"
            let high = event.thresholdRange.maxValue.map { "\($0)" } ?? "…"
            return "\(name(of: event.characteristic)) enters \(low)–\(high)"
        } else if let event = event as? HMCalendarEvent {
            return "at \(clock(event.fireDateComponents))"
        } else if let event = event as? HMSignificantTimeEvent {
            let base = event.significantEvent == .sunrise ? "sunrise" : "sunset"
            guard let minutes = event.offset?.minute, minutes != 0 else { return "at \(base)" }
            return minutes < 0 ? "\(-minutes) min before \(base)" : "\(minutes) min after \(base)"
        } else {
            return "some other event"
        }
    }

    private func name(of characteristic: HMCharacteristic) -> String {
        "\(characteristic.service?.name ?? "Unknown service") \(characteristic.localizedDescription)"
    }

    private func clock(_ components: DateComponents) -> String {
        String(format: "%02d:%02d", components.hour ?? 0, components.minute ?? 0)
    }

    // MARK: - Everything in order

    @MainActor
    func runAll() async throws -> [String] {
        var report: [String] = []
        let home = try await readyHome()
        report.append("Home: \(home.name)")

        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, Error>) in
            prepareRooms { error in
                if let error = error {
                    continuation.resume(throwing: error)
                } else {
                    continuation.resume()
                }
            }
        }
        for room in home.rooms {
            report.append("Room \(room.name): \(room.accessories.map { $0.name }.joined(separator: ", "))")
        }
        for zone in home.zones {
            report.append("Zone \(zone.name): \(zone.rooms.map { $0.name }.joined(separator: ", "))")
        }

        // Scenes
        let goodNight = try await makeGoodNight()
        let lightTheGarage = try await makeLightTheGarage()
        for actionSet in [goodNight, lightTheGarage] {
            report.append("Scene \(actionSet.name)")
            report += describe(actionSet).map { "  \($0)" }
        }
        report.append(try await execute(goodNight))

        // Triggers
        let bedtime = try await makeBedtimeTrigger(running: goodNight)
        let arrival = try await makeArrivalTrigger(running: lightTheGarage)
        let weekday = try await makeWeekdayTrigger(running: lightTheGarage)
        let threshold = try await makeThresholdTrigger(running: goodNight)
        let triggers: [HMTrigger] = [bedtime, arrival, weekday] + (threshold.map { [$0] } ?? [])
        report.append("Triggers")
        report += home.triggers.map { "  \(describe($0))" }

        // Edit
        try await goodNight.updateName("Sleep Tight")
        if let write = lightTheGarage.actions.compactMap({ $0 as? HMCharacteristicWriteAction<NSCopying> })
            .first(where: { $0.characteristic.characteristicType == HMCharacteristicTypeBrightness })
        {
            try await write.updateTargetValue(NSNumber(value: 60))
        }
        try await bedtime.updateName("Late Bedtime")
        try await bedtime.updateFireDate(bedtime.fireDate.addingTimeInterval(30 * 60))
        try await weekday.updateEvents([
            HMCalendarEvent(fire: DateComponents(hour: 7, minute: 15)),
            HMSignificantTimeEvent(significantEvent: .sunrise, offset: DateComponents(minute: -20)),
        ])
        try await weekday.updateRecurrences([2, 4, 6].map { DateComponents(weekday: $0) })
        let sunset = HMSignificantTimeEvent(significantEvent: .sunset, offset: DateComponents(minute: 15))
        try await arrival.updatePredicate(
            HMEventTrigger.predicateForEvaluatingTriggerOccurring(afterSignificantEvent: sunset)
        )
        try await arrival.enable(false)
        report.append("After editing")
        report += describe(lightTheGarage).map { "  \($0)" }
        report += home.triggers.map { "  \(describe($0))" }

        // Clean up
        for trigger in triggers {
            try await trigger.removeActionSet(trigger === bedtime || trigger === threshold ? goodNight : lightTheGarage)
            try await home.removeTrigger(trigger)
        }
        for actionSet in [goodNight, lightTheGarage] where actionSet.actionSetType == HMActionSetTypeUserDefined {
            try await home.removeActionSet(actionSet)
        }
        report.append("Left: \(home.triggers.count) trigger(s), \(home.actionSets.count) scene(s)")

        report.append("Log")
        report += log.map { "  \($0)" }
        return report
    }
}
