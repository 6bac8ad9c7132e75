import AccessoryFiles
import Documents
import HomeModel
import HomeRuntime

extension HomeDocument {
    /// The time zones that this machine does not know: their homes run in its own, and the rules of home files, which have
    /// no list of zones, cannot tell.
    func unknownTimeZones(in file: String) -> [Diagnostic] {
        homes.compactMap(\.timeZone).filter { !FoundationCalendar.knows($0.value) }
            .map { zone in
                Diagnostic(
                    .warning,
                    in: file,
                    at: zone.location?.position,
                    path: zone.location?.path ?? "",
                    "this machine knows no time zone \(zone.value), and takes its own; write one such as Europe/Berlin"
                )
            }
    }
}
