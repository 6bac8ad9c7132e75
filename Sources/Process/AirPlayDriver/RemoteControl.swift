internal import AirPlay
internal import AsyncPrimitives
internal import Discovery
internal import HAPCore
internal import Hosting

/// Sends commands to a sender of AirPlay 1, which answers requests over HTTP: DACP.
///
/// The sender names itself in the header DACP-ID, announces `iTunes_Ctrl_<id>` as `_dacp._tcp`, and expects the number
/// of the header Active-Remote.
struct RemoteControl: Sendable {
    /// The time to find the sender, and the time for its answer.
    private static let limit = Duration.seconds(5)

    private let id: String
    private let token: String
    private let peerHost: String

    /// - Returns: `nil` if the request does not name what is needed.
    init?(_ headers: AirPlayHeaders, peerHost: String) {
        guard let id = headers["DACP-ID"], let token = headers["Active-Remote"],
            !id.isEmpty, id.utf8.count <= 32, id.allSatisfy({ $0.isASCII && $0.isHexDigit }),
            !token.isEmpty, token.utf8.count <= 20, token.allSatisfy({ $0.isASCII && $0.isNumber })
        else { return nil }
        (self.id, self.token, self.peerHost) = (id, token, peerHost)
    }

    /// Sends a command; returns whether the sender has answered that it is done.
    func send(_ command: RemoteCommand, _ port: DriverPort, browser: AccessoryBrowser) async -> Bool {
        guard let endpoint = await endpoint(browser),
            let connection = try? await port.connect(to: endpoint)
        else { return false }
        defer { connection.close() }
        var path = "/ctrl-int/1/\(command.name)"
        if case .setVolume(let level) = command { path += "?dmcp.device-volume=\(level.decibels)" }
        let host = endpoint.description
        let request = AirPlayRequest("GET", path, .http, ["Host": host, "Active-Remote": token])
        return await withTimeLimit(Self.limit) {
            guard (try? await connection.send(request.bytes)) != nil else { return false }
            var decoder = AirPlayMessageDecoder()
            while let bytes = await connection.receive() {
                decoder.append(bytes)
                do throws(AirPlayRefusal) {
                    if let answer = try decoder.nextResponse() { return (200...299).contains(answer.status) }
                } catch {
                    return false
                }
            }
            return false
        } ?? false
    }

    /// Finds the port of the sender, which must be at the address of the session.
    private func endpoint(_ browser: AccessoryBrowser) async -> DriverEndpoint? {
        let wanted = "iTunes_Ctrl_\(id)".lowercased()
        return await withTimeLimit(Self.limit) {
            for await update in browser.updates() {
                switch update {
                case .appeared(let found), .changed(let found):
                    guard found.name.lowercased() == wanted, found.addresses.contains(peerHost), found.port > 0 else {
                        continue
                    }
                    return DriverEndpoint(host: peerHost, port: found.port)
                case .unavailable: return nil
                case .disappeared, .allForNow, .available: continue
                }
            }
            return nil
        } ?? nil
    }
}
