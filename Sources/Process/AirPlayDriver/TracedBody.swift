internal import AccessoryModel
internal import AirPlay
internal import HAPCore
internal import Hosting
internal import PropertyLists

extension DriverPort {
    /// Shows a request of a sender to those who follow messages.
    func trace(_ request: AirPlayRequest, from host: String, _ peer: PeerID) {
        trace(size: request.body.count + 256) {
            DriverMessage(
                .received,
                peer: peer.rawValue,
                from: host,
                to: "receiver",
                path: "\(request.method) \(request.path)",
                request.body.shown(request.contentType)
            )
        }
    }

    /// Shows the answer to a request to those who follow messages.
    func trace(_ response: AirPlayResponse, to request: AirPlayRequest, of host: String, _ peer: PeerID) {
        trace(size: response.body.count + 256) {
            DriverMessage(
                .sent,
                peer: peer.rawValue,
                from: "receiver",
                to: host,
                path: "\(response.status) \(request.method) \(request.path)",
                response.body.shown(response.headers["Content-Type"] ?? "")
            )
        }
    }
}

extension [UInt8] {
    /// A body for a trace, without secrets.
    fileprivate func shown(_ type: String) -> DriverMessage.Body {
        if isEmpty { return .text("") }
        if type.hasPrefix("text/") || type == "application/sdp" {
            return .text(String(decoding: self.prefix(4_096), as: UTF8.self))
        }
        guard type.hasSuffix("plist"),
            let list = try? PropertyListReader.read(self, name: "the body", limits: .request)
        else { return .hidden(count) }
        return .json(list.shown)
    }
}

extension PropertyList {
    /// The value for a trace: without bytes, and without the password.
    fileprivate var shown: JSONValue {
        switch self {
        case .bool(let value): .bool(value)
        case .unsigned(let value): .integer(Int(clamping: value))
        case .negative(let value): .integer(Int(value))
        case .real(let value), .date(let value): .real(value)
        case .text(let value): .string(value)
        case .data(let bytes): .string("(\(bytes.count) bytes)")
        case .uid(let number): .integer(Int(number))
        case .array(let elements): .array(elements.map(\.shown))
        case .dictionary(let dictionary):
            .object(
                JSONObject(
                    uniqueMembers: dictionary.entries.map { entry in
                        let value = entry.key == "Password" ? JSONValue.string("(hidden)") : entry.value.shown
                        return JSONObject.Member(key: entry.key, value: value)
                    }
                )
            )
        }
    }
}
