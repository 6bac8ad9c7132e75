/// What somebody has written to name a server, an accessory, a service or a characteristic.
///
/// * `Garage Door/Target Door State` or `GarageDoor.TargetDoorState`: a characteristic of a service,
/// * `Target Door State`: of the only service that has one,
/// * `Kilgo Garage/Garage Door`: a service of an accessory, by its name or its type,
/// * `Kilgo Garage`: an accessory, or a server,
/// * `1.9`: the characteristic with this `aid.iid`; `1`: the accessory,
/// * `Kilgo Garage 2/1.9`: of this server, where there are several.
///
/// Case, blanks, `-`, `_` and `.` in names do not count. ``SimulationNames`` finds what is meant.
package struct SimulationTarget: Sendable, Hashable {
    /// The text as it was written.
    package var text: String

    /// Takes a text; any will do.
    package init(_ text: String) {
        self.text = text
    }
}

extension SimulationTarget: CustomStringConvertible {
    /// The text as it was written.
    package var description: String { text }
}
