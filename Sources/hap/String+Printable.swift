import HAPCore

extension String {
    /// The text without what could break a line or steer a terminal, for what comes from the network or another's code.
    var printable: String {
        var scalars = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            scalars.append(scalar.steersTerminal ? "?" : scalar)
        }
        return String(scalars)
    }
}
