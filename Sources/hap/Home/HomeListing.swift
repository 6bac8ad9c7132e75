import AccessoryModel
import HAPController
import HAPCore
import HomeModel

/// A home as a tree that people can read, and as JSON.
enum HomeListing {
    /// The tree.
    static func text(of home: Home, isPrimary: Bool) -> String {
        var lines = ["\(home.name)\(isPrimary ? " (primary)" : "")"]
        let shown = home.shownServices
        for room in home.rooms + [.entireHome] {
            let services = shown.filter { $0.room == room.id }.map(\.service)
            guard room.id != .entireHome || !services.isEmpty else { continue }
            lines.append("  \(room.name)")
            lines += TextTable.lines(services.map { row(of: $0, in: home) }, indentation: 4)
        }
        add("Zones", home.zones.map { [$0.name.text, home.names(of: $0.rooms).joined(separator: ", ")] })
        add(
            "Groups",
            home.serviceGroups.map { group in
                [group.name.text, group.services.compactMap { home.service($0)?.name.text }.joined(separator: ", ")]
            }
        )
        add(
            "Scenes",
            home.scenes.map { scene in
                [scene.name.text, scene.actions.map { home.text(of: $0) }.joined(separator: ", ")]
            }
        )
        add(
            "Automations",
            home.automations.map { automation in
                let end = automation.end == nil ? "" : ", and ends by itself"
                let condition = automation.condition == nil ? "" : ", on a condition"
                let state = automation.isEnabled ? "" : "disabled: "
                return [
                    automation.name.text,
                    "\(state)\(home.text(of: automation.trigger))\(condition): "
                        + "\(home.text(of: automation.targets))\(end)",
                ]
            }
        )
        add(
            "Users",
            home.users.map { user in
                [user.name.text, user.role.rawValue, user.isHome.map { $0 ? "home" : "away" } ?? ""]
            }
        )
        return lines.map { "\($0.withVisibleControls)\n" }.joined()

        func add(_ title: String, _ rows: [[String]]) {
            guard !rows.isEmpty else { return }
            lines.append("  \(title)")
            lines += TextTable.lines(rows, indentation: 4)
        }
    }

    private static func row(of service: HomeService, in home: Home) -> [String] {
        let accessory = home.accessory(of: service.id)
        let found = accessory?.reference == nil ? "not found yet" : ""
        return [service.name.text, service.effectiveType.description, accessory?.name.text ?? "", found]
    }

    /// An object with `homes`.
    static func json(of homes: [Home], primary: ObjectID<Home>?) -> JSONWriter {
        var writer = JSONWriter()
        writer.beginObject()
        writer.list("homes", homes) { home, writer in
            writer.member("name", home.name.text)
            writer.key("primary")
            writer.value(home.id == primary)
            writer.list("rooms", home.rooms + [.entireHome]) { room, writer in
                writer.member("name", room.name.text)
                let services = home.shownServices.filter { $0.room == room.id }.map(\.service)
                writer.list("services", services) { write($0, in: home, to: &$1) }
            }
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
                writer.member("trigger", home.text(of: automation.trigger))
                writer.member("run", home.text(of: automation.targets))
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

extension JSONWriter {
    /// Writes a list of objects under a key.
    mutating func list<Element>(
        _ name: String,
        _ elements: [Element],
        _ write: (Element, inout JSONWriter) -> Void
    ) {
        key(name)
        beginArray()
        for element in elements {
            beginObject()
            write(element, &self)
            endObject()
        }
        endArray()
    }
}
