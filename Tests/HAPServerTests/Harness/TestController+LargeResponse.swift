import HAPCore
import HAPServer

extension TestController {
    /// More bytes than the network buffers for a controller that does not read.
    static let largeResponseSize = 8_000_000

    /// Stops reading, and sends a request whose response has ``largeResponseSize`` bytes.
    func requestLargeResponse(using faultInjection: ScriptedFaultInjection) async throws {
        let head = Array("HTTP/1.1 200 OK\r\nContent-Length: \(Self.largeResponseSize)\r\n\r\n".utf8)
        faultInjection.injectOnce(
            .replace(head + [UInt8](repeating: 7, count: Self.largeResponseSize)),
            where: \.isResponse
        )
        try await setReading(false)
        try await send(HTTPRequest(.get, path: "/nothing"))
    }
}
