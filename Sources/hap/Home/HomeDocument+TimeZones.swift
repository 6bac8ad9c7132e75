import AccessoryFiles
import HomeModel
import HomeRunning

extension HomeDocument {
    /// The time zones that this machine does not know: their homes run in its own, and the rules of home files, which have
    /// no list of zones, cannot tell.
    func unknownTimeZones(in file: String) -> [FileFinding] {
        homes.compactMap(\.timeZone).filter { !FoundationCalendar.knows($0.value) }
            .map { zone in
                FileFinding(
                    .warning,
                    in: file,
                    at: zone.place.map { TextPosition(line: $0.line, column: $0.column) },
                    path: zone.place?.path ?? "",
                    "this machine knows no time zone \(zone.value), and takes its own; write one such as Europe/Berlin"
                )
            }
    }
}
