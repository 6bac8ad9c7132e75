internal import AccessoryModel
internal import HAPCore
internal import HomeModel

/// Writes homes and what engines remember as they are kept: as JSON, with every number and without what is learnt anew.
///
/// What is `nil`, empty or `false` is left out.
enum KeptWriter {
    /// The text of a home, without who is there and what answers.
    static func text(_ home: Home) -> [UInt8] {
        object(
            ("name", name(home.name)),
            ("next", number(home.nextID)),
            ("place", home.place.map { .array([real($0.latitude), real($0.longitude)]) }),
            ("timeZone", home.timeZone.map { .string($0) }),
            ("rooms", list(home.rooms) { object(("id", id($0.id)), ("name", name($0.name))) }),
            (
                "zones",
                list(home.zones) { object(("id", id($0.id)), ("name", name($0.name)), ("rooms", list($0.rooms, id))) }
            ),
            ("accessories", list(home.accessories, accessory)),
            (
                "groups",
                list(home.serviceGroups) {
                    object(("id", id($0.id)), ("name", name($0.name)), ("services", list($0.services, id)))
                }
            ),
            (
                "scenes",
                list(home.scenes) { scene in
                    object(
                        ("id", id(scene.id)),
                        ("name", name(scene.name)),
                        ("kind", .string(scene.kind.rawValue)),
                        ("actions", list(scene.actions, action))
                    )
                }
            ),
            ("automations", list(home.automations, automation)),
            (
                "users",
                list(home.users) { user in
                    object(
                        ("id", id(user.id)),
                        ("name", name(user.name)),
                        ("role", .string(user.role.rawValue)),
                        ("remote", flag(user.isRemote))
                    )
                }
            )
        )
        .text
    }

    /// The text of what an engine remembers.
    static func text(_ memory: EngineMemory) -> [UInt8] {
        object(
            ("instant", memory.instant.map { .number(JSONNumber($0.nanoseconds)) }),
            (
                "ends",
                list(memory.ends.sorted { $0.key < $1.key }) { automation, end in
                    let until: JSONValue? =
                        if case .until(let instant) = end.phase { .number(JSONNumber(instant.nanoseconds)) } else {
                            nil
                        }
                    return object(
                        ("automation", id(automation)),
                        ("start", .number(JSONNumber(end.start.nanoseconds))),
                        ("until", until),
                        ("before", list(end.before, action))
                    )
                }
            ),
            (
                "presence",
                list(memory.presence.sorted { $0.key < $1.key }) { object(("user", id($0)), ("home", .bool($1))) }
            ),
            (
                "since",
                list(memory.since.sorted { $0.key < $1.key }) {
                    object(("automation", id($0)), ("instant", .number(JSONNumber($1.nanoseconds))))
                }
            )
        )
        .text
    }

    // MARK: Accessories

    private static func accessory(_ accessory: HomeAccessory) -> JSONValue {
        object(
            ("id", id(accessory.id)),
            ("name", name(accessory.name)),
            ("alias", accessory.alias.map { .string($0) }),
            ("room", id(accessory.room)),
            ("server", accessory.reference.map { .string($0.server.description) }),
            ("aid", accessory.reference.map { number($0.aid.rawValue) }),
            ("category", accessory.category.map { number(UInt64($0.rawValue)) }),
            ("bridge", accessory.bridge.map(id)),
            ("services", list(accessory.services, service))
        )
    }

    private static func service(_ service: HomeService) -> JSONValue {
        object(
            ("id", id(service.id)),
            ("name", name(service.name)),
            ("type", .string(service.type.uuid.description)),
            ("iid", service.iid.map { number($0.rawValue) }),
            ("as", service.associatedType.map { .string($0.uuid.description) }),
            ("room", service.room.map(id)),
            ("primary", flag(service.isPrimary)),
            ("hidden", flag(service.isHidden)),
            ("linked", list(service.linked) { number($0.rawValue) }),
            ("characteristics", list(service.characteristics, characteristic))
        )
    }

    private static func characteristic(_ characteristic: HomeCharacteristic) -> JSONValue {
        let metadata = characteristic.metadata
        return object(
            ("type", .string(characteristic.type.uuid.description)),
            ("iid", characteristic.iid.map { number($0.rawValue) }),
            ("permissions", .array(characteristic.permissions.names.map { .string($0) })),
            ("description", characteristic.description.map { .string($0) }),
            ("format", .string(metadata.format.rawValue)),
            ("unit", metadata.unit.map { .string($0.rawValue) }),
            ("minimum", metadata.minimum.map { .number($0) }),
            ("maximum", metadata.maximum.map { .number($0) }),
            ("step", metadata.step.map { .number($0) }),
            ("minimumLength", metadata.minimumLength.map { .number(JSONNumber($0)) }),
            ("maximumLength", metadata.maximumLength.map { .number(JSONNumber($0)) }),
            ("maximumDataLength", metadata.maximumDataLength.map { .number(JSONNumber($0)) }),
            ("validValues", list(metadata.validValues) { .number($0) })
        )
    }

    // MARK: Actions and automations

    private static func action(_ action: HomeAction) -> JSONValue {
        object(
            ("service", id(action.characteristic.service)),
            ("type", .string(action.characteristic.type.uuid.description)),
            ("value", value(action.value))
        )
    }

    private static func value(_ value: CharacteristicValue) -> JSONValue {
        switch value {
        case .bool(let flag): .bool(flag)
        case .number(let number): .number(number)
        case .string(let text): .string(text)
        case .data(let bytes): object(("data", .string(Base64.encode(bytes))))
        }
    }

    private static func automation(_ automation: Automation) -> JSONValue {
        object(
            ("id", id(automation.id)),
            ("name", name(automation.name)),
            ("disabled", flag(!automation.isEnabled)),
            ("trigger", trigger(automation.trigger)),
            ("condition", automation.condition.map(condition)),
            ("scenes", list(automation.targets.scenes, id)),
            ("actions", list(automation.targets.own, action)),
            ("end", automation.end.map(end))
        )
    }

    private static func test(_ selector: CharacteristicSelector, _ test: CharacteristicTest) -> JSONValue {
        let kind: (String, JSONValue)
        switch test {
        case .equals(let value): kind = ("equals", self.value(value))
        case .changes: kind = ("changes", .bool(true))
        case .above(let limit): kind = ("above", .number(limit))
        case .below(let limit): kind = ("below", .number(limit))
        case .within(let range): kind = ("within", .array([.number(range.lowerBound), .number(range.upperBound)]))
        }
        return object(
            ("service", id(selector.service)),
            ("type", .string(selector.type.uuid.description)),
            (kind.0, kind.1)
        )
    }

    private static func trigger(_ trigger: Trigger) -> JSONValue {
        switch trigger {
        case .characteristic(let selector, let test): object(("test", self.test(selector, test)))
        case .timeOfDay(let time, let recurrence):
            object(("time", .string(time.description)), ("recurrence", self.recurrence(recurrence)))
        case .calendar(let date, let recurrence):
            object(("date", .string(date.description)), ("recurrence", self.recurrence(recurrence)))
        case .sun(let event, let offset, let recurrence):
            object(
                ("sun", .string(event.rawValue)),
                ("offset", duration(offset)),
                ("recurrence", self.recurrence(recurrence))
            )
        case .presence(.firstArrives): object(("presence", "firstArrives"))
        case .presence(.lastLeaves): object(("presence", "lastLeaves"))
        case .presence(.everyoneArrives): object(("presence", "everyoneArrives"))
        case .presence(.arrives(let user)): object(("arrives", id(user)))
        case .presence(.leaves(let user)): object(("leaves", id(user)))
        case .interval(let interval, let start):
            object(("interval", duration(interval)), ("from", start.map { .string($0.description) }))
        }
    }

    private static func recurrence(_ recurrence: Recurrence) -> JSONValue {
        switch recurrence {
        case .once: "once"
        case .daily: "daily"
        case .yearly: "yearly"
        case .weekly(let days): object(("weekly", number(UInt64(days.rawValue))))
        case .everyDays(let count): object(("days", .number(JSONNumber(count))))
        case .everyWeeks(let count): object(("weeks", .number(JSONNumber(count))))
        case .everyMonths(let count): object(("months", .number(JSONNumber(count))))
        }
    }

    private static func condition(_ condition: Condition) -> JSONValue {
        switch condition {
        case .all(let parts): object(("all", .array(parts.map(self.condition))))
        case .any(let parts): object(("any", .array(parts.map(self.condition))))
        case .not(let part): object(("not", self.condition(part)))
        case .characteristic(let selector, let test): object(("test", self.test(selector, test)))
        case .time(let start, let end): object(("after", bound(start)), ("before", bound(end)))
        case .days(let days): object(("days", number(UInt64(days.rawValue))))
        case .presence(.anyone): object(("presence", "anyone"))
        case .presence(.noOne): object(("presence", "noOne"))
        case .presence(.everyone): object(("presence", "everyone"))
        case .presence(.user(let user)): object(("home", id(user)))
        }
    }

    private static func bound(_ bound: TimeBound) -> JSONValue {
        switch bound {
        case .clock(let time): .string(time.description)
        case .sun(let event, let offset): object(("sun", .string(event.rawValue)), ("offset", duration(offset)))
        }
    }

    private static func end(_ end: EndEvent) -> JSONValue {
        let actions: JSONValue? =
            if case .actions(let actions) = end.ending { .array(actions.map(action)) } else { nil }
        switch end.moment {
        case .after(let delay): return object(("delay", duration(delay)), ("actions", actions))
        case .when(let selector, let test): return object(("test", self.test(selector, test)), ("actions", actions))
        case .whenThenAfter(let selector, let test, let delay):
            return object(
                ("test", self.test(selector, test)),
                ("delay", duration(delay)),
                ("actions", actions)
            )
        }
    }

    // MARK: Parts

    private static func object(_ members: (String, JSONValue?)...) -> JSONValue {
        .object(
            JSONObject(
                uniqueMembers: members.compactMap { key, value in value.map { JSONObject.Member(key: key, value: $0) } }
            )
        )
    }

    private static func list<Element>(_ elements: [Element], _ write: (Element) -> JSONValue) -> JSONValue? {
        elements.isEmpty ? nil : .array(elements.map(write))
    }

    private static func id<Object>(_ id: ObjectID<Object>) -> JSONValue { number(id.rawValue) }
    private static func name(_ name: ObjectName) -> JSONValue { .string(name.text) }
    private static func number(_ number: UInt64) -> JSONValue { .number(.unsigned(number)) }
    private static func real(_ value: Double) -> JSONValue { .number(JSONNumber(value) ?? 0) }
    private static func flag(_ flag: Bool) -> JSONValue? { flag ? .bool(true) : nil }

    /// Seconds, and billionths of billionths of one where there are any.
    private static func duration(_ duration: Duration) -> JSONValue {
        let (seconds, attoseconds) = duration.components
        return .array([.number(JSONNumber(seconds)), .number(JSONNumber(attoseconds))])
    }
}
