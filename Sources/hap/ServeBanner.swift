import HAPCore
import HAPServer

/// What `hap serve` prints first: what it serves, how to pair, and where it listens.
struct ServeBanner {
    let text: String

    init(_ information: ServerInformation, bindAddress: String?, isTerminal: Bool) {
        var lines = [
            "\(information.name) (\(information.category), \(information.deviceID))",
            "",
        ]
        if let code = TerminalQRCode(information.setupURI) {
            lines += isTerminal ? code.colouredLines : code.lines
        }
        lines += [
            "",
            "Setup code  \(information.setupCode.text)",
            "Setup URI   \(information.setupURI)",
            "Listening   \(bindAddress ?? "all interfaces"), port \(information.port)",
            information.isPaired ? "Paired; 'hap reset --pairings' makes it pairable again." : "Ready to be paired.",
            "",
        ]
        text = lines.joined(separator: "\n")
    }
}
