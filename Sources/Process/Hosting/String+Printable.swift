internal import AccessoryModel
internal import HAPCore

extension String {
    /// The text with each terminal control character replaced by `?`.
    ///
    /// Text from the network, from files and from other code must not break a line or control the terminal.
    package var printable: String {
        var scalars = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            scalars.append(scalar.isTerminalControl ? "?" : scalar)
        }
        return String(scalars)
    }
}
