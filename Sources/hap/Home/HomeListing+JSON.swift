import AccessoryModel
import HAPCore
import HomeModel
import HomeRuntime

extension HomeListing {
    /// An object with `homes`.
    static func json(of homes: [Home], primary: ObjectID<Home>?, paired: Set<DeviceID>? = nil) -> JSONWriter {
        var writer = JSONWriter()
        writer.beginObject()
        writer.list("homes", homes) { home, writer in
            writer.member("name", home.name.text)
            writer.key("primary")
            writer.value(home.id == primary)
            if let place = home.place {
                writer.key("place")
                writer.beginObject()
                writer.key("latitude")
                writer.value(place.latitude)
                writer.key("longitude")
                writer.value(place.longitude)
                writer.endObject()
            }
            if let timeZone = home.timeZone {
                writer.member("timeZone", timeZone)
            }
            writer.list("rooms", home.rooms + [.entireHome]) { room, writer in
                writer.member("name", room.name.text)
                let services = home.shownServices.filter { $0.room == room.id }.map(\.service)
                writer.list("services", services) { write($0, in: home, to: &$1) }
            }
            writer.list("accessories", home.accessories) { write($0, in: home, paired, to: &$1) }
            writer.list("zones", home.zones) { zone, writer in
                writer.member("name", zone.name.text)
                writer.member("rooms", home.names(of: zone.rooms))
            }
            writer.list("groups", home.serviceGroups) { group, writer in
                writer.member("name", group.name.text)
                writer.member("services", group.services.compactMap { home.service($0)?.name.text })
            }
            writer.list("scenes", home.scenes) { scene, writer in
                writer.member("name", scene.name.text)
                writer.list("actions", scene.actions) { action, writer in
                    writer.member("set", home.text(of: action.characteristic))
                    writer.key("to")
                    writer.value(action.value)
                }
            }
            writer.list("automations", home.automations) { automation, writer in
                writer.member("name", automation.name.text)
                writer.key("enabled")
                writer.value(automation.isEnabled)
                writer.key("triggers")
                writer.value(.array(automation.triggers.map { .string(home.text(of: $0)) }))
                if let condition = automation.condition {
                    writer.member("condition", home.text(of: condition))
                }
                writer.member("run", home.text(of: automation.targets))
                if let end = automation.end {
                    writer.member("end", home.text(of: end))
                }
            }
            writer.list("users", home.users) { user, writer in
                writer.member("name", user.name.text)
                writer.member("role", user.role.rawValue)
                if let isHome = user.isHome {
                    writer.key("home")
                    writer.value(isHome)
                }
            }
        }
        writer.endObject()
        return writer
    }

    private static func write(
        _ accessory: HomeAccessory,
        in home: Home,
        _ paired: Set<DeviceID>?,
        to writer: inout JSONWriter
    ) {
        writer.member("name", accessory.name.text)
        writer.member("room", home.room(accessory.room)?.name.text ?? "")
        if let bridge = accessory.bridge.flatMap({ home.accessory($0) }) {
            writer.member("bridge", bridge.name.text)
        }
        if let reference = accessory.reference {
            writer.member("deviceID", reference.server.description)
            writer.key("aid")
            writer.value(reference.aid.rawValue)
        }
        writer.key("found")
        writer.value(!accessory.isPlaceholder)
        if let isPaired = paired.flatMap(accessory.isPaired) {
            writer.key("paired")
            writer.value(isPaired)
        }
        writer.member("services", accessory.services.filter(\.isShown).map(\.name.text))
    }

    private static func write(_ service: HomeService, in home: Home, to writer: inout JSONWriter) {
        writer.member("name", service.name.text)
        writer.member("type", service.effectiveType.description)
        guard let accessory = home.accessory(of: service.id) else { return }
        writer.member("accessory", accessory.name.text)
        if let reference = accessory.reference {
            writer.member("deviceID", reference.server.description)
            writer.key("aid")
            writer.value(reference.aid.rawValue)
        }
    }
}
