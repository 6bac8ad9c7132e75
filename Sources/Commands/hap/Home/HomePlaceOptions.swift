import AccessoryModel
import ArgumentParser
import HomeModel
import HomeRuntime
import Hosting

/// The location and time zone of a home, for the sun and the time of day.
struct HomePlaceOptions: ParsableArguments {
    // A negative number looks like an option, so it is parsed unconditionally.
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Degrees north of the equator, -90 to 90.", valueName: "degrees")
    )
    var latitude: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Degrees east of Greenwich, -180 to 180.", valueName: "degrees")
    )
    var longitude: Double?

    @Option(
        name: .customLong("time-zone"),
        help: ArgumentHelp("The IANA name, such as Europe/Berlin. Default: the machine's.", valueName: "zone")
    )
    var timeZone: String?

    /// The validated settings, which can be applied to a home.
    struct Settings: Sendable {
        var place: GeographicPlace?
        var timeZone: String?

        func apply(to home: inout Home) throws(HomeError) {
            if let place {
                try home.setPlace(place)
            }
            if let timeZone {
                try home.setTimeZone(timeZone)
            }
        }
    }

    func settings() throws(CommandFailure) -> Settings {
        if let timeZone, !FoundationCalendar.isKnown(timeZone) {
            throw CommandFailure.usage(
                "This machine does not know the time zone \(timeZone.escapingControlCharacters); write one such as "
                    + "Europe/Berlin."
            )
        }
        switch (latitude, longitude) {
        case (nil, nil): return Settings(timeZone: timeZone)
        case (let latitude?, let longitude?):
            guard let place = GeographicPlace(latitude: latitude, longitude: longitude) else {
                throw CommandFailure.usage("Write --latitude from -90 to 90 and --longitude from -180 to 180.")
            }
            return Settings(place: place, timeZone: timeZone)
        case (_?, nil), (nil, _?):
            throw CommandFailure.usage("Only one of --latitude and --longitude is given; give both.")
        }
    }
}
