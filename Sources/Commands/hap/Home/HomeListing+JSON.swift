import AccessoryModel
import HAPCore
import HomeModel
import HomeRuntime

extension HomeListing {
    /// Writes an object with `homes`.
    static func write(
        _ homes: [Home],
        primary: ObjectID<Home>?,
        paired: Set<DeviceID>? = nil,
        to writer: inout JSONWriter
    ) {
        writer.list("homes", homes) { home, writer in
            writer.member("name", home.name.text)
            writer.member("primary", home.id == primary)
            if let place = home.place {
                writer.object("place") { writer in
                    writer.member("latitude", place.latitude)
                    writer.member("longitude", place.longitude)
                }
            }
            writer.member("timeZone", ifPresent: home.timeZone)
            let index = HomeIndex(home)
            let services = home.visibleServicesByRoom
            writer.list("rooms", home.rooms + [.entireHome]) { room, writer in
                writer.member("name", room.name.text)
                writer.list("services", services[room.id] ?? []) { write($0, in: index, to: &$1) }
            }
            writer.list("accessories", home.accessories) { write($0, in: index, paired, to: &$1) }
            writer.list("zones", home.zones) { zone, writer in
                writer.member("name", zone.name.text)
                writer.member("rooms", index.names(of: zone.rooms))
            }
            writer.list("groups", home.serviceGroups) { group, writer in
                writer.member("name", group.name.text)
                writer.member("services", group.services.compactMap { index.service($0)?.name.text })
            }
            writer.list("scenes", home.scenes) { scene, writer in
                writer.member("name", scene.name.text)
                writer.list("actions", scene.actions) { action, writer in
                    writer.member("set", index.text(of: action.characteristic))
                    writer.member("to", action.value)
                }
            }
            writer.list("automations", home.automations) { automation, writer in
                writer.member("name", automation.name.text)
                writer.member("enabled", automation.isEnabled)
                writer.member("triggers", automation.triggers.map { index.text(of: $0) })
                writer.member("condition", ifPresent: automation.condition.map { index.text(of: $0) })
                writer.member("run", index.text(of: automation.targets))
                writer.member("end", ifPresent: automation.end.map { index.text(of: $0) })
            }
            writer.list("users", home.users) { user, writer in
                writer.member("name", user.name.text)
                writer.member("role", user.role.rawValue)
                writer.member("home", ifPresent: user.isHome)
            }
        }
    }

    private static func write(
        _ accessory: HomeAccessory,
        in home: HomeIndex,
        _ paired: Set<DeviceID>?,
        to writer: inout JSONWriter
    ) {
        writer.member("name", accessory.name.text)
        writer.member("room", home.room(accessory.room)?.name.text ?? "")
        writer.member("bridge", ifPresent: accessory.bridge.flatMap { home.accessory($0) }?.name.text)
        writer.members(of: accessory.reference)
        writer.member("found", !accessory.isPlaceholder)
        writer.member("paired", ifPresent: paired.flatMap(accessory.isPaired))
        writer.member("services", accessory.services.filter(\.isVisible).map(\.name.text))
    }

    private static func write(_ service: HomeService, in home: HomeIndex, to writer: inout JSONWriter) {
        writer.member("name", service.name.text)
        writer.member("type", service.effectiveType.description)
        guard let accessory = home.accessory(of: service.id) else { return }
        writer.member("accessory", accessory.name.text)
        writer.members(of: accessory.reference)
    }
}

extension JSONWriter {
    /// Writes the device ID and the aid of an accessory, if they are known.
    fileprivate mutating func members(of reference: AccessoryReference?) {
        member("deviceID", ifPresent: reference?.server.description)
        member("aid", ifPresent: reference?.aid.rawValue)
    }
}
