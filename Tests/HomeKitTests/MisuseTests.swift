// Long because: each misuse has a row.

import AccessoryModel
import HAPController
import HAPCore
import HomeModel
import HomeRuntime
import TestSupport
import Testing

@testable import HomeKit

/// Tests that each misuse gets the code of Apple's error, one row each.
@Suite struct MisuseTests {
    /// A home with a garage, a scene, a room and another home.
    struct House: Sendable {
        let fixture: HomeKitFixture
        let home: HMHome
        let room: HMRoom
        let zone: HMZone
        let scene: HMActionSet
        let cabin: HMHome
        let cabinRoom: HMRoom

        init() async throws {
            fixture = try await HomeKitFixture()
            home = try await fixture.home()
            room = try await home.addRoom(named: "Garage")
            zone = try await home.addZone(named: "Upstairs")
            scene = try await home.addActionSet(named: "Bright")
            cabin = try await fixture.manager.addHome(named: "Cabin")
            cabinRoom = try await cabin.addRoom(named: "Kitchen")
        }

        var garage: HMAccessory { get throws { try #require(home.accessories.first) } }
        func characteristic(_ type: String) throws -> HMCharacteristic { try home.characteristic(type) }

        func action(_ value: any NSCopying, _ type: String = HMCharacteristicTypePowerState) throws -> HMAction {
            HMCharacteristicWriteAction(characteristic: try characteristic(type), targetValue: value)
        }

        func timer(_ seconds: TimeInterval, _ recurrence: DateComponents?) -> HMTimerTrigger {
            let minute = (Date().timeIntervalSince1970 / 60).rounded(.up) * 60
            let date = Date(timeIntervalSince1970: minute + seconds)
            return HMTimerTrigger(name: "Timer", fireDate: date, recurrence: recurrence)
        }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let code: HMError.Code
        let testDescription: String
        let misuse: @Sendable (House) async throws -> Void

        init(_ code: HMError.Code, _ description: String, _ misuse: @escaping @Sendable (House) async throws -> Void) {
            (self.code, testDescription, self.misuse) = (code, description, misuse)
        }
    }

    static let names: [Row] = [
        Row(.objectWithSimilarNameExistsInHome, "a room with the name of another") {
            _ = try await $0.home.addRoom(named: "gar age")
        },
        Row(.homeWithSimilarNameExists, "a home with the name of another") {
            _ = try await $0.fixture.manager.addHome(named: "kilgohouse")
        },
        Row(.homeWithSimilarNameExists, "a home renamed to the name of another") {
            try await $0.cabin.updateName("Kilgo House")
        },
        Row(.nameContainsProhibitedCharacters, "an emoji") { _ = try await $0.home.addRoom(named: "Garage 🚗") },
        Row(.nameDoesNotStartWithValidCharacters, "a name that begins with a space") {
            _ = try await $0.home.addZone(named: " Attic")
        },
        Row(.nameDoesNotEndWithValidCharacters, "a name that ends with a space") {
            _ = try await $0.home.addZone(named: "Attic ")
        },
        Row(.stringLongerThanMaximum, "a name of 65 characters") {
            _ = try await $0.home.addZone(named: String(repeating: "a", count: 65))
        },
        Row(.stringShorterThanMinimum, "an empty name") { _ = try await $0.home.addActionSet(named: "") },
        Row(.renameWithSimilarName, "a rename to the present name") { try await $0.room.updateName("Garage") },
        Row(.roomForHomeCannotBeUpdated, "a rename of the room for the entire home") {
            try await $0.home.roomForEntireHome().updateName("Everything")
        },
    ]

    static let objects: [Row] = [
        Row(.alreadyExists, "a room twice in a zone") { house in
            try await house.zone.addRoom(house.room)
            try await house.zone.addRoom(house.room)
        },
        Row(.alreadyExists, "a characteristic twice in a scene") { house in
            try await house.scene.addAction(try house.action(true as NSNumber))
            try await house.scene.addAction(try house.action(false as NSNumber))
        },
        Row(.notFound, "an action that the scene does not have") {
            try await $0.scene.removeAction(try $0.action(true as NSNumber))
        },
        Row(.objectAssociatedToAnotherHome, "a room of another home") { try await $0.zone.addRoom($0.cabinRoom) },
        Row(.objectAssociatedToAnotherHome, "an accessory into a room of another home") {
            try await $0.home.assignAccessory(try $0.garage, to: $0.cabinRoom)
        },
        Row(.objectAssociatedToAnotherHome, "a room removed from another home") {
            try await $0.home.removeRoom($0.cabinRoom)
        },
        Row(.objectNotAssociatedToAnyHome, "a room that was removed") { house in
            try await house.home.removeRoom(house.room)
            try await house.zone.addRoom(house.room)
        },
        Row(.objectNotAssociatedToAnyHome, "a home that was removed") { house in
            try await house.fixture.manager.removeHome(house.cabin)
            _ = try await house.cabin.addRoom(named: "Bath")
        },
        Row(.objectNotAssociatedToAnyHome, "a trigger of no home is enabled") {
            try await $0.timer(3600, nil).enable(true)
        },
        Row(.objectAlreadyAssociatedToHome, "an accessory of the home is added again") {
            try await $0.home.addAccessory(try $0.garage)
        },
        Row(.objectAssociatedToAnotherHome, "an accessory of another home is added") {
            try await $0.cabin.addAccessory(try $0.garage)
        },
        Row(.actionInAnotherActionSet, "an action of another scene") { house in
            let action = try house.action(true as NSNumber)
            try await house.scene.addAction(action)
            try await (try await house.home.addActionSet(named: "Dark")).addAction(action)
        },
        Row(.roomForHomeCannotBeInZone, "the room for the entire home in a zone") {
            try await $0.zone.addRoom($0.home.roomForEntireHome())
        },
        Row(.roomForHomeCannotBeUpdated, "the room for the entire home is removed") {
            try await $0.home.removeRoom($0.home.roomForEntireHome())
        },
        Row(.cannotRemoveBuiltinActionSet, "a built-in scene is removed") {
            try await $0.home.removeActionSet(try #require($0.home.builtinActionSet(ofType: HMActionSetTypeSleep)))
        },
        Row(.invalidAssociatedServiceType, "a light that counts as a fan") {
            try await $0.home.service(HMServiceTypeLightbulb).updateAssociatedServiceType(HMServiceTypeFan)
        },
        Row(.invalidAssociatedServiceType, "an invalid UUID as a type") {
            try await $0.home.service(HMServiceTypeLightbulb).updateAssociatedServiceType("fan")
        },
        Row(.operationNotSupported, "users are managed") { try await $0.home.manageUsers() },
        Row(.operationNotSupported, "an accessory is unblocked") { try await $0.home.unblockAccessory(try $0.garage) },
        Row(.operationNotSupported, "authorization data") {
            try await $0.characteristic(HMCharacteristicTypePowerState).updateAuthorizationData(Data([1]))
        },
    ]

    static let access: [Row] = [
        Row(.readOnlyCharacteristic, "a read-only characteristic is written") {
            try await $0.characteristic(HMCharacteristicTypeCurrentDoorState).writeValue(0)
        },
        Row(.readOnlyCharacteristic, "an action on a read-only characteristic") {
            try await $0.scene.addAction(try $0.action(0 as NSNumber, HMCharacteristicTypeCurrentDoorState))
        },
        Row(.writeOnlyCharacteristic, "a write-only characteristic is read") {
            try await $0.characteristic(HMCharacteristicTypeIdentify).readValue()
        },
        Row(.notificationNotSupported, "notifications of a characteristic without events") {
            try await $0.characteristic(HMCharacteristicTypeIdentify).enableNotification(true)
        },
        Row(.notificationAlreadyEnabled, "notifications twice") { house in
            let power = try house.characteristic(HMCharacteristicTypePowerState)
            try await power.enableNotificationWhenReachable()
            try await power.enableNotification(true)
        },
        Row(.invalidValueType, "a string for a number") { try await $0.home.fadeRate().writeValue("fast") },
        Row(.invalidValueType, "a date for a number") { try await $0.home.fadeRate().writeValue(Date()) },
        Row(.invalidValueType, "nothing for a number") { try await $0.home.fadeRate().writeValue(nil) },
        Row(.invalidValueType, "infinity for a number") { try await $0.home.fadeRate().writeValue(Double.infinity) },
        Row(.valueLowerThanMinimum, "less than the minimum") { try await $0.home.fadeRate().writeValue(-1) },
        Row(.valueHigherThanMaximum, "more than the maximum") { try await $0.home.fadeRate().writeValue(11) },
        Row(.valueHigherThanMaximum, "2 for true or false") {
            try await $0.characteristic(HMCharacteristicTypePowerState).writeValue(2)
        },
        Row(.valueHigherThanMaximum, "a value of an action that is too high") {
            try await $0.scene.addAction(try $0.action(101 as NSNumber, HMCharacteristicTypeBrightness))
        },
    ]

    static let running: [Row] = [
        Row(.invalidParameter, "a range without numbers") { house in
            let range = HMNumberRange(minValue: NSNumber(value: Double.nan), maxValue: 5)
            let brightness = try house.characteristic(HMCharacteristicTypeBrightness)
            let event = HMCharacteristicThresholdRangeEvent(characteristic: brightness, thresholdRange: range)
            try await house.home.addTrigger(HMEventTrigger(name: "Range", events: [event], predicate: nil))
        },
        Row(.invalidParameter, "a predicate that is too large") { house in
            var predicate = HMEventTrigger.predicateForEvaluatingTrigger(occurringAfter: DateComponents(hour: 7))
            for _ in 0..<7 {
                predicate = NSCompoundPredicate(
                    andPredicateWithSubpredicates: [NSPredicate](repeating: predicate, count: 32)
                )
            }
            let event = HMCalendarEvent(fire: DateComponents(hour: 7))
            try await house.home.addTrigger(HMEventTrigger(name: "Large", events: [event], predicate: predicate))
        },
        Row(.objectAlreadyAssociatedToHome, "a trigger in two homes") { house in
            let trigger = house.timer(3600, nil)
            async let first: Void = house.home.addTrigger(trigger)
            async let second: Void = house.home.addTrigger(trigger)
            _ = try await (first, second)
        },
        Row(.noActionsInActionSet, "a scene without actions runs") { try await $0.home.executeActionSet($0.scene) },
        Row(.objectAssociatedToAnotherHome, "a scene of another home runs") {
            try await $0.cabin.executeActionSet($0.scene)
        },
        Row(.noRegisteredActionSets, "a trigger without scenes is enabled") { house in
            let trigger = house.timer(3600, nil)
            try await house.home.addTrigger(trigger)
            try await trigger.enable(true)
        },
        Row(.noActionsInActionSet, "a trigger with an empty scene is enabled") { house in
            let trigger = house.timer(3600, nil)
            try await house.home.addTrigger(trigger)
            try await trigger.addActionSet(house.scene)
            try await trigger.enable(true)
        },
        Row(.alreadyExists, "a scene twice in a trigger") { house in
            let trigger = house.timer(3600, nil)
            try await house.home.addTrigger(trigger)
            try await trigger.addActionSet(house.scene)
            try await trigger.addActionSet(house.scene)
        },
        Row(.dateMustBeOnSpecifiedBoundaries, "a date with seconds") {
            try await $0.home.addTrigger($0.timer(3601, nil))
        },
        Row(.recurrenceTooSmall, "every four minutes") {
            try await $0.home.addTrigger($0.timer(3600, DateComponents(minute: 4)))
        },
        Row(.recurrenceTooLarge, "every six weeks") {
            try await $0.home.addTrigger($0.timer(3600, DateComponents(weekOfYear: 6)))
        },
        Row(.recurrenceTooLarge, "an impossible number of weeks") {
            try await $0.home.addTrigger($0.timer(3600, DateComponents(weekOfYear: .max / 2)))
        },
        Row(.fireDateInPast, "once, yesterday") { try await $0.home.addTrigger($0.timer(-86_400, nil)) },
        Row(.cannotActivateTriggerTooFarInFuture, "in six weeks") { house in
            let trigger = house.timer(6 * 7 * 86_400, nil)
            try await house.home.addTrigger(trigger)
            try await house.scene.addAction(try house.action(true as NSNumber))
            try await trigger.addActionSet(house.scene)
            try await trigger.enable(true)
        },
        Row(.invalidParameter, "a trigger without events") {
            try await $0.home.addTrigger(HMEventTrigger(name: "None", events: [], predicate: nil))
        },
        Row(.invalidParameter, "a predicate of another kind") {
            let event = HMCalendarEvent(fire: DateComponents(hour: 7))
            try await $0.home.addTrigger(
                HMEventTrigger(name: "True", events: [event], predicate: NSPredicate(value: true))
            )
        },
        Row(.invalidParameter, "a sunset without a place") {
            let event = HMSignificantTimeEvent(significantEvent: .sunset, offset: nil)
            try await $0.home.addTrigger(HMEventTrigger(name: "Sunset", events: [event], predicate: nil))
        },
        Row(.notificationNotSupported, "an event of a characteristic without events") {
            let event = HMCharacteristicEvent<any NSCopying>(
                characteristic: try $0.characteristic(HMCharacteristicTypeManufacturer),
                triggerValue: nil
            )
            try await $0.home.addTrigger(HMEventTrigger(name: "Maker", events: [event], predicate: nil))
        },
        Row(.operationNotSupported, "two end events") {
            let event = HMCalendarEvent(fire: DateComponents(hour: 7))
            let end = HMDurationEvent(duration: 60)
            try await $0.home.addTrigger(
                HMEventTrigger(name: "End", events: [event], end: [end, end], recurrences: nil, predicate: nil)
            )
        },
        Row(.operationNotSupported, "a calendar event with a date") {
            let event = HMCalendarEvent(fire: DateComponents(month: 12, day: 24, hour: 7))
            try await $0.home.addTrigger(HMEventTrigger(name: "Eve", events: [event], predicate: nil))
        },
        Row(.invalidParameter, "a calendar event at hour 25") {
            let event = HMCalendarEvent(fire: DateComponents(hour: 25))
            try await $0.home.addTrigger(HMEventTrigger(name: "Late", events: [event], predicate: nil))
        },
        Row(.operationNotSupported, "the presence of chosen users") {
            let event = HMPresenceEvent(presenceEventType: .everyEntry, presenceUserType: .customUsers)
            try await $0.home.addTrigger(HMEventTrigger(name: "Guests", events: [event], predicate: nil))
        },
    ]

    static let setup: [Row] = [
        Row(.notFound, "a setup in an unknown home") { house in
            let setup = AccessorySetup(payload: nil, home: UUID(), room: nil, name: nil, accessory: nil)
            _ = try await house.fixture.manager.context.add(setup) { _, _ in () }.value
        },
        Row(.notFound, "a setup in an unknown room") { house in
            let home = house.home.uniqueIdentifier
            let setup = AccessorySetup(payload: nil, home: home, room: UUID(), name: nil, accessory: nil)
            _ = try await house.fixture.manager.context.add(setup) { _, _ in () }.value
        },
        Row(.objectAlreadyAssociatedToHome, "an accessory that is paired already") {
            try await $0.home.addAndSetUpAccessories()
        },
        Row(.accessoryPairingFailed, "an invalid setup code") { house in
            house.fixture.answer(HomeKitSetupAnswer(code: "1234", accessory: "127.0.0.1:9"))
            try await house.home.addAndSetUpAccessories()
        },
        Row(.notFound, "an accessory that was not found") { house in
            house.fixture.answer(HomeKitSetupAnswer(code: Vectors.all.pairSetup.setupCode, accessory: "Toaster"))
            try await house.home.addAndSetUpAccessories()
        },
        Row(.operationCancelled, "no answer") { house in
            house.fixture.answer(nil)
            try await house.home.addAndSetUpAccessories()
        },
        Row(.accessoryNotReachable, "an unreachable accessory") { house in
            house.fixture.answer(HomeKitSetupAnswer(code: Vectors.all.pairSetup.setupCode, accessory: "127.0.0.1:9"))
            try await house.home.addAndSetUpAccessories()
        },
    ]

    @Test(arguments: names + objects + access + running + setup)
    func misuseGetsTheCodeOfApplesError(row: Row) async throws {
        let house = try await House()
        let error = await #expect(throws: HMError.self) { try await row.misuse(house) }
        #expect(error?.code == row.code, "\(error?.localizedDescription ?? "")")
        await house.fixture.close()
    }

    @Test func setupWithoutSetupAnswerIsNotSupported() async throws {
        let folder = try TemporaryFolder()
        let manager = HMHomeManager(core: .shared(in: folder.path, settings: HomeKitSettings.Values()))
        try await manager.load()
        let home = try await manager.addHome(named: "Cabin")
        let error = await #expect(throws: HMError.self) { try await home.addAndSetUpAccessories() }
        #expect(error?.code == .operationNotSupported)
    }

    @Test func stateFolderThatCannotBeUsedGivesAnError() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("", to: "file")
        let manager = HMHomeManager(core: .shared(in: file, settings: HomeKitSettings.Values()))
        #expect(manager.homes.isEmpty)
        let error = await #expect(throws: HMError.self) { _ = try await manager.addHome(named: "Cabin") }
        #expect(error?.code == .unexpectedError && error?.localizedDescription.contains(file) == true)
    }

    @Test(arguments: [
        (HAPStatus.insufficientPrivileges, HMError.Code.insufficientPrivileges),
        (.unableToPerform, .communicationFailure),
        (.busy, .accessoryIsBusy), (.readOnly, .readOnlyCharacteristic), (.writeOnly, .writeOnlyCharacteristic),
        (.notificationNotSupported, .notificationNotSupported), (.outOfResources, .accessoryOutOfResources),
        (.timedOut, .operationTimedOut), (.doesNotExist, .notFound), (.invalidValue, .invalidParameter),
        (.insufficientAuthorization, .invalidOrMissingAuthorizationData),
        (.notAllowedInCurrentState, .accessoryResponseError),
    ])
    func statusOfAnAccessoryHasAnErrorCode(status: HAPStatus, code: HMError.Code) {
        #expect(HMError(status, isBridged: false).code == code)
    }

    @Test func bridgedAccessoryThatCannotPerformIsNotReachable() {
        #expect(HMError(.unableToPerform, isBridged: true).code == .bridgedAccessoryNotReachable)
    }

    @Test(arguments: [
        (ControllerError.Code.unreachable, HMError.Code.accessoryNotReachable), (.notFound, .accessoryNotReachable),
        (.timedOut, .operationTimedOut), (.connectionLost, .communicationFailure), (.busy, .accessoryIsBusy),
        (.wrongCode, .accessoryPairingFailed), (.tooManyTries, .accessoryPairingFailed),
        (.maxPeers, .accessoryPairingFailed), (.refused(.authentication), .accessoryPairingFailed),
        (.alreadyPaired, .objectAlreadyAssociatedToHome), (.wrongAccessory, .messageAuthenticationFailed),
        (.cancelled, .operationCancelled), (.requestFailed(http: 500, nil), .accessoryResponseError),
        (.requestFailed(http: 207, .readOnly), .readOnlyCharacteristic),
    ])
    func failureOfTheControllerHasAnErrorCode(failure: ControllerError.Code, code: HMError.Code) {
        #expect(HMError(ControllerError(failure, reason: "It failed.", remedy: "Try again.")).code == code)
    }

    @Test func errorsBridgeToNSErrorAndMatchPatterns() {
        let error: any Error = HMError(.notFound)
        #expect((error as NSError).domain == HMErrorDomain && (error as NSError).code == 2)
        #expect((error as? HMError)?.code == HMError.notFound)
        #expect(HMError(_nsError: NSError(domain: HMErrorDomain, code: 4)).code == .accessoryNotReachable)
        #expect(HMError(_nsError: NSError(domain: HMErrorDomain, code: 4711)).code == .unexpectedError)
        do {
            throw error
        } catch HMError.notFound {
        } catch {
            Issue.record("the pattern does not match")
        }
    }

    @Test func objectsCanBeUsedFromAnyThread() async throws {
        let house = try await House()
        let home = house.home
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<8 {
                group.addTask {
                    for _ in 0..<50 {
                        _ = home.accessories.flatMap(\.services).flatMap(\.characteristics).map { $0.value }
                        _ = home.rooms.map(\.name)
                        home.delegate = number % 2 == 0 ? Recorder() : nil
                    }
                }
                group.addTask {
                    if let room = try? await home.addRoom(named: "Room \(number)") { try? await home.removeRoom(room) }
                }
            }
        }
        #expect(home.rooms.count == 1)
        await house.fixture.close()
    }
}
