/// A composed response or event, taken apart so that it can be said in another way.
struct MessageText: Hashable {
    private let startLine: String
    private var headers: [Header] = []
    /// What comes behind the headers.
    var body: [UInt8]

    private struct Header: Hashable {
        var name: String
        var value: String
    }

    /// Takes a message apart; `nil` for what has no end of headers.
    init?(_ message: [UInt8]) {
        var lines: [String] = []
        var start = 0
        var position = 0
        while true {
            guard position + 1 < message.count else { return nil }
            guard message[position] == UInt8(ascii: "\r"), message[position + 1] == UInt8(ascii: "\n") else {
                position += 1
                continue
            }
            let line = message[start..<position]
            position += 2
            start = position
            if line.isEmpty { break }
            lines.append(String(decoding: line, as: UTF8.self))
        }
        guard let first = lines.first else { return nil }
        startLine = first
        body = Array(message[start...])
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { return nil }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            headers.append(Header(name: String(line[..<colon]), value: String(value)))
        }
    }

    /// Whether the body is JSON.
    var isJSON: Bool {
        headers.contains { $0.name == "Content-Type" && $0.value.hasSuffix("json") }
    }

    /// Gives a header a value, in its place or behind the others.
    mutating func setHeader(_ name: String, _ value: String) {
        if let index = headers.firstIndex(where: { $0.name == name }) {
            headers[index].value = value
        } else {
            headers.append(Header(name: name, value: value))
        }
    }

    /// Takes a header away.
    mutating func removeHeader(_ name: String) {
        headers.removeAll { $0.name == name }
    }

    /// Writes the names of the headers in lower and upper case in turn.
    mutating func varyHeaderCase() {
        for index in headers.indices {
            let name = headers[index].name
            headers[index].name = index.isMultiple(of: 2) ? name.lowercased() : name.uppercased()
        }
    }

    /// The message as it travels.
    var bytes: [UInt8] {
        var bytes = Array(startLine.utf8)
        for header in headers {
            bytes += "\r\n\(header.name): \(header.value)".utf8
        }
        return bytes + "\r\n\r\n".utf8 + body
    }
}
