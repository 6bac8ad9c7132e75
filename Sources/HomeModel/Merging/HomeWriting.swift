internal import AccessoryModel
internal import HAPCore

/// Makes names of the ids of a home.
struct HomeWriting {
    private let home: Home
    private let rooms: [ObjectID<Room>: String]
    private let accessories: [ObjectID<HomeAccessory>: String]
    private var services: [ObjectID<HomeService>: HomeService] = [:]
    private var serviceNames: [ObjectID<HomeService>: String] = [:]

    init(_ home: Home) {
        self.home = home
        rooms = Dictionary(home.rooms.map { ($0.id, $0.name.text) }) { first, _ in first }
        accessories = Dictionary(home.accessories.map { ($0.id, $0.name.text) }) { first, _ in first }
        for accessory in home.accessories {
            for (position, service) in accessory.services.enumerated() {
                services[service.id] = service
                serviceNames[service.id] =
                    service.isShown
                    ? service.name.text
                    : "\(accessory.name)/\(ServiceDesignation.text(of: position, in: accessory.services))"
            }
        }
    }

    func room(_ id: ObjectID<Room>) -> String {
        id == .entireHome ? ObjectName.entireHome.text : rooms[id] ?? ""
    }

    func service(_ id: ObjectID<HomeService>) -> String {
        serviceNames[id] ?? ""
    }

    func placement(_ accessory: HomeAccessory) -> DocumentedPlacement {
        var documented = DocumentedPlacement(
            accessory: Placed(accessory.alias ?? accessory.name.text),
            name: accessory.alias.map { _ in Placed(accessory.name) }
        )
        documented.room = accessory.room == .entireHome ? nil : Placed(room(accessory.room))
        documented.bridge = accessory.bridge.flatMap { accessories[$0] }.map { Placed($0) }
        documented.deviceID = accessory.reference?.server
        documented.aid = accessory.reference.flatMap { $0.aid == .primary ? nil : $0.aid }
        documented.category = accessory.category
        for (position, service) in accessory.services.enumerated() {
            let room = service.room.map { Placed(self.room($0)) }
            guard service.isShown || room != nil || service.associatedType != nil else { continue }
            documented.services.append(
                DocumentedPlacement.Service(
                    key: Placed(ServiceDesignation.text(of: position, in: accessory.services)),
                    name: service.isShown ? Placed(service.name) : nil,
                    room: room,
                    associatedType: service.associatedType.map { Placed($0) }
                )
            )
        }
        return documented
    }

    func action(_ action: HomeAction) -> DocumentedAction {
        DocumentedAction(
            characteristic: Placed(characteristic(action.characteristic)),
            value: Placed(value(action.value, of: action.characteristic))
        )
    }

    func automation(_ automation: Automation) -> DocumentedAutomation {
        let scenes = automation.targets.scenes.compactMap { home.scene($0)?.name.text }
        return DocumentedAutomation(
            name: Placed(automation.name),
            isEnabled: automation.isEnabled,
            trigger: trigger(automation.trigger),
            condition: automation.condition.map(condition),
            scenes: scenes.map { Placed($0) },
            actions: automation.targets.own.map(action),
            end: automation.end.map(end)
        )
    }

    private func characteristic(_ selector: CharacteristicSelector) -> String {
        "\(service(selector.service))/\(selector.type.written)"
    }

    private func value(_ value: CharacteristicValue, of selector: CharacteristicSelector) -> DocumentedValue {
        DocumentedValue(value, of: services[selector.service]?.characteristic(selector.type))
    }

    private func user(_ id: ObjectID<HomeUser>) -> Placed<String> {
        Placed(home.user(id)?.name.text ?? "")
    }

    private func test(_ selector: CharacteristicSelector, _ test: CharacteristicTest) -> DocumentedTest {
        let documented: DocumentedTest.Test =
            switch test {
            case .equals(let value): .equals(Placed(self.value(value, of: selector)))
            case .changes: .changes
            case .above(let limit): .above(limit)
            case .below(let limit): .below(limit)
            case .within(let range): .within(range)
            }
        return DocumentedTest(characteristic: Placed(characteristic(selector)), test: documented)
    }

    private func trigger(_ trigger: Trigger) -> DocumentedTrigger {
        switch trigger {
        case .characteristic(let selector, let test): .characteristic(self.test(selector, test))
        case .timeOfDay(let time, let recurrence): .timeOfDay(time, recurrence)
        case .calendar(let moment, let recurrence): .calendar(moment, recurrence)
        case .sun(let event, let offset, let recurrence): .sun(event, offset: offset, recurrence)
        case .presence(.firstArrives): .firstArrives
        case .presence(.lastLeaves): .lastLeaves
        case .presence(.everyoneArrives): .everyoneArrives
        case .presence(.arrives(let id)): .arrives(user(id))
        case .presence(.leaves(let id)): .leaves(user(id))
        case .interval(let interval, let start): .interval(interval, from: start)
        }
    }

    private func condition(_ condition: Condition) -> DocumentedCondition {
        switch condition {
        case .all(let parts): .all(parts.map(self.condition))
        case .any(let parts): .any(parts.map(self.condition))
        case .not(let part): .not(self.condition(part))
        case .characteristic(let selector, let test): .characteristic(self.test(selector, test))
        case .time(let start, let end): .time(from: start, to: end)
        case .days(let days): .days(days)
        case .presence(.anyone): .anyone
        case .presence(.noOne): .noOne
        case .presence(.everyone): .everyone
        case .presence(.user(let id)): .home(user(id))
        }
    }

    private func end(_ end: EndEvent) -> DocumentedEnd {
        var documented = DocumentedEnd(delay: nil, test: nil, actions: nil)
        switch end.moment {
        case .after(let delay): documented.delay = delay
        case .when(let selector, let test): documented.test = self.test(selector, test)
        case .whenThenAfter(let selector, let test, let delay):
            documented.test = self.test(selector, test)
            documented.delay = delay
        }
        switch end.ending {
        case .actions(let actions): documented.actions = actions.map(action)
        case .restore: documented.actions = nil
        }
        return documented
    }
}
