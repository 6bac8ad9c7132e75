package import Documents
private import RealModule

/// The calculation of sunrise and sunset.
///
/// It uses the equations of the [NOAA solar calculator](https://gml.noaa.gov/grad/solcalc/calcdetails.html), from Jean
/// Meeus, *Astronomical Algorithms*. The results are accurate to a minute between 72° south and north, and to ten
/// minutes beyond. The horizon is assumed to be flat, with a refraction of 34 arc minutes: at both events, the center
/// of the sun is 0.833° below the horizon.
package enum Sun {
    /// Returns the solar day for a date in a time zone at a place.
    ///
    /// It is the day whose solar noon is nearest to noon in the time zone. So each sunrise is on its date, even in time
    /// zones that are far from their longitude.
    package static func day(on date: CivilDate, at place: GeographicPlace, in zone: some CivilCalendar) -> SolarDay {
        let clockNoon = zone.instant(of: CivilDateTime(date: date, time: .noon)).seconds
        let meanNoon = Int64(date.daysSinceEpoch) * 86_400 + 43_200 - Int64(place.longitude * 240)
        let days = (Double(clockNoon - meanNoon) / 86_400).rounded()
        return day(aroundNoonAt: Double(meanNoon) + days * 86_400, at: place)
    }

    /// Returns the solar day around a mean noon, which is in seconds since 1970.
    private static func day(aroundNoonAt meanNoon: Double, at place: GeographicPlace) -> SolarDay {
        let noon = meanNoon - SolarPosition(at: meanNoon).equationOfTime
        switch SolarPosition(at: noon).arc(at: place.latitude) {
        case .alwaysUp:
            return SolarDay(noon: instant(noon), daylight: .allDay)
        case .alwaysDown:
            return SolarDay(noon: instant(noon), daylight: .none)
        case .risesAndSets(let halfDay):
            let sunrise = event(near: noon - halfDay, meanNoon: meanNoon, side: -1, at: place.latitude)
            let sunset = event(near: noon + halfDay, meanNoon: meanNoon, side: 1, at: place.latitude)
            return SolarDay(noon: instant(noon), daylight: .between(sunrise: instant(sunrise), sunset: instant(sunset)))
        }
    }

    /// Refines a time with the position of the sun at the event instead of at noon.
    private static func event(near guess: Double, meanNoon: Double, side: Double, at latitude: Double) -> Double {
        var second = guess
        for _ in 0..<3 {
            let position = SolarPosition(at: second)
            // On the first and last day of a polar day or night, the sun may not set or rise according to its position
            // at another hour. The current estimate is then good enough.
            guard case .risesAndSets(let halfDay) = position.arc(at: latitude) else { return second }
            second = meanNoon - position.equationOfTime + side * halfDay
        }
        return second
    }

    private static func instant(_ second: Double) -> WallInstant {
        WallInstant(seconds: Int64(exactly: second.rounded()) ?? 0)
    }
}

/// The path of the sun at an instant.
private struct SolarPosition {
    /// The path of the sun relative to the horizon on a day.
    enum DayArc {
        /// The sun is up for twice this number of seconds.
        case risesAndSets(halfDay: Double)
        /// The sun does not set.
        case alwaysUp
        /// The sun does not rise.
        case alwaysDown
    }

    /// The angle north of the equator, in radians.
    let declination: Double
    /// The number of seconds by which a sundial is ahead of a clock.
    let equationOfTime: Double

    /// Calculates the path at an instant, which is in seconds since 1970.
    init(at second: Double) {
        // Julian centuries since 2000-01-01T12:00Z.
        let t = (second - 946_728_000) / 86_400 / 36_525
        let meanLongitude = (280.46646 + t * (36_000.76983 + t * 0.0003032)).radians
        let anomaly = (357.52911 + t * (35_999.05029 - 0.0001537 * t)).radians
        let eccentricity = 0.016708634 - t * (0.000042037 + 0.0000001267 * t)
        let center =
            Double.sin(anomaly) * (1.914602 - t * (0.004817 + 0.000014 * t))
            + Double.sin(2 * anomaly) * (0.019993 - 0.000101 * t) + Double.sin(3 * anomaly) * 0.000289
        let node = (125.04 - 1_934.136 * t).radians
        let longitude = meanLongitude + (center - 0.00569 - 0.00478 * Double.sin(node)).radians
        let meanObliquity = 23 + (26 + (21.448 - t * (46.815 + t * (0.00059 - t * 0.001813))) / 60) / 60
        let obliquity = (meanObliquity + 0.00256 * Double.cos(node)).radians
        declination = Double.asin(Double.sin(obliquity) * Double.sin(longitude))

        let tangent = Double.tan(obliquity / 2)
        let y = tangent * tangent
        let angle =
            y * Double.sin(2 * meanLongitude) - 2 * eccentricity * Double.sin(anomaly)
            + 4 * eccentricity * y * Double.sin(anomaly) * Double.cos(2 * meanLongitude)
            - 0.5 * y * y * Double.sin(4 * meanLongitude)
            - 1.25 * eccentricity * eccentricity * Double.sin(2 * anomaly)
        equationOfTime = angle / .pi * 43_200
    }

    /// Returns the path relative to the horizon at a latitude in degrees.
    func arc(at latitude: Double) -> DayArc {
        let latitude = latitude.radians
        let height = Double.cos(90.833.radians) - Double.sin(latitude) * Double.sin(declination)
        let reach = Double.cos(latitude) * Double.cos(declination)
        if height <= -reach { return .alwaysUp }
        if height >= reach { return .alwaysDown }
        return .risesAndSets(halfDay: Double.acos(height / reach) / .pi * 43_200)
    }
}

extension Double {
    fileprivate var radians: Double { self * .pi / 180 }
}
