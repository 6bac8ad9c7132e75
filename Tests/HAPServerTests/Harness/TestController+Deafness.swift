import HAPCore
import HAPServer

extension TestController {
    /// More bytes than the network keeps for a controller that does not read.
    static let much = 8_000_000

    /// Stops reading, and asks for something that is answered with ``much``.
    func askForMuch(by interference: ScriptedInterference) async throws {
        let head = Array("HTTP/1.1 200 OK\r\nContent-Length: \(Self.much)\r\n\r\n".utf8)
        interference.interruptOnce(.replace(head + [UInt8](repeating: 7, count: Self.much)), where: \.isResponse)
        try await setReading(false)
        try await send(HTTPRequest(.get, path: "/nothing"))
    }
}
