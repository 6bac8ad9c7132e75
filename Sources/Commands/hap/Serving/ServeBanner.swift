import HAPCore
import HAPServer
import Hosting

/// The first output of `hap serve`: the servers, how to pair with them, and where they listen.
struct ServeBanner {
    let text: String

    /// The maximum number of servers in the list.
    ///
    /// A script reads the others from the ready file.
    private static let maximumListed = 20

    /// Creates a banner that shows one server with its QR code, or several servers as a table.
    ///
    /// - Parameter folder: The folder of definitions, or `nil` without one.
    init(_ servers: [ServerInformation], bindAddress: String?, isTerminal: Bool, folder: String? = nil) {
        let place = bindAddress ?? "all interfaces"
        let lines =
            if servers.isEmpty, let folder {
                ["No accessories yet; files that are added to \(folder.printable) are served at once.", ""]
            } else if let only = servers.first, servers.count == 1 {
                Self.lines(only, place, isTerminal: isTerminal)
            } else {
                Self.lines(servers, place)
            }
        text = lines.joined(separator: "\n")
    }

    private static func lines(_ information: ServerInformation, _ place: String, isTerminal: Bool) -> [String] {
        var lines = [
            "\(information.name.printable) (\(information.category), \(information.deviceID))",
            "",
        ]
        if let code = TerminalQRCode(information.setupURI) {
            lines += isTerminal ? code.coloredLines : code.lines
        }
        return lines + [
            "",
            "Setup code  \(information.setupCode.text)",
            "Setup URI   \(information.setupURI)",
            "Listening   \(place), port \(information.port)",
            information.isPaired ? "Paired; 'hap reset --pairings' makes it pairable again." : "Ready to be paired.",
            "",
        ]
    }

    private static func lines(_ servers: [ServerInformation], _ place: String) -> [String] {
        var lines = ["\(servers.count) servers, listening on \(place):", ""]
        let width = servers.prefix(maximumListed).map(\.name.printable.count).max() ?? 0
        for server in servers.prefix(maximumListed) {
            let shown = server.name.printable
            let name = shown + String(repeating: " ", count: width - shown.count)
            let state = server.isPaired ? "paired" : "ready to be paired"
            lines.append("\(name)  port \(server.port)  setup code \(server.setupCode.text)  \(state)")
        }
        if servers.count > maximumListed {
            lines.append("… and \(servers.count - maximumListed) more; --ready-file FILE lists them all.")
        }
        return lines + [""]
    }
}
