private import RealModule

/// The color of a lamp's light, without its brightness.
struct LightColor: Sendable, Hashable {
    /// The hue, 0 to 360°.
    var hue: Double
    /// The saturation, 0 to 100 %.
    var saturation: Double

    /// Creates the color of a black body, from 50 to 1,000 mired.
    ///
    /// It uses [Tanner Helland's fit](https://tannerhelland.com/2012/09/18/convert-temperature-rgb-algorithm-code.html)
    /// to the colors of Mitchell Charity, within the range that a lamp can show.
    init(mired: Double) {
        let hundreds = 10_000 / mired.clamped(to: 50...1_000)
        let isWarm = hundreds <= 66
        self.init(
            red: isWarm ? 255 : 329.698_727_446 * Double.pow(hundreds - 60, -0.133_204_759_2),
            green: isWarm
                ? 99.470_802_586_1 * Double.log(hundreds) - 161.119_568_166_1
                : 288.122_169_528_3 * Double.pow(hundreds - 60, -0.075_514_849_2),
            blue: isWarm ? 138.517_731_223_1 * Double.log(max(hundreds - 10, 1)) - 305.044_792_730_7 : 255
        )
    }

    init(hue: Double, saturation: Double) {
        self.hue = hue.clamped(to: 0...360)
        self.saturation = saturation.clamped(to: 0...100)
    }

    /// Creates a color from components between 0 and 255.
    private init(red: Double, green: Double, blue: Double) {
        let (red, green, blue) = (red.clamped(to: 0...255), green.clamped(to: 0...255), blue.clamped(to: 0...255))
        let most = max(red, green, blue)
        let spread = most - min(red, green, blue)
        guard spread > 0 else {
            self.init(hue: 0, saturation: 0)
            return
        }
        let sixth =
            if most == red {
                (green - blue) / spread
            } else if most == green {
                2 + (blue - red) / spread
            } else {
                4 + (red - green) / spread
            }
        self.init(hue: sixth < 0 ? sixth * 60 + 360 : sixth * 60, saturation: spread / most * 100)
    }

    /// Returns the color temperature in a range whose color is nearest, in whole mired.
    func nearestMired(in range: ClosedRange<Int>) -> Int {
        var nearest = (mired: range.lowerBound, distance: Double.infinity)
        for mired in range {
            let distance = distance(to: LightColor(mired: Double(mired)))
            if distance < nearest.distance {
                nearest = (mired, distance)
            }
        }
        return nearest.mired
    }

    /// Returns a color between this one and another, along the shorter arc of the circle of hues.
    ///
    /// - Parameter share: 0 for this color, 1 for the other.
    func mixed(with other: LightColor, share: Double) -> LightColor {
        var arc = other.hue - hue
        if arc > 180 { arc -= 360 }
        if arc < -180 { arc += 360 }
        var hue = hue + arc * share
        if hue < 0 { hue += 360 }
        if hue > 360 { hue -= 360 }
        return LightColor(hue: hue, saturation: saturation + (other.saturation - saturation) * share)
    }

    /// Returns the square of the distance on the disc of hue and saturation.
    private func distance(to other: LightColor) -> Double {
        let angle = (hue - other.hue) * .pi / 180
        return saturation * saturation + other.saturation * other.saturation
            - 2 * saturation * other.saturation * Double.cos(angle)
    }
}
