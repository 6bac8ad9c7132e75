import FuzzHarness
import HAPCore
import Simulation

/// What a program of the driver `command` writes: whole lines come out, whatever the parts in which they arrive.
enum ProgramTarget: FuzzTarget {
    static let name = "program"

    private static let limit = 256

    static var seeds: [String: [UInt8]] {
        let lines = [
            "report": #"{"values":{"Switch.On":true,"Lightbulb.Hue":4e2}}"# + "\n" + #"{"reachable":false}"# + "\n",
            "answer": #"{"write":7,"values":{"Brightness":50}}"# + "\n" + #"{"write":8,"status":-70402}"# + "\r\n",
            "statuses": #"{"write":18446744073709551615,"statuses":{"Hue":-70402,"On":"x"}}"# + "\n",
            "event": #"{"event":"overheated","with":{"celsius":80,"a":null,"b":[{"c":"d"}]}}"# + "\n",
            "readings": #"{"readings":{"uptime":3600,"title":"é"}}"# + "\n\n" + #"{"action":1,"text":"Done."}"#,
            "long": String(repeating: "x", count: limit + 1) + "\n" + #"{"action":1,"error":"no"}"# + "\n",
        ]
        var seeds = lines.mapValues { [3] + Array($0.utf8) }
        seeds["torn"] = [1, 0x22, 0xE8, 0x0A, 0xF0, 0x9F, 0x0A, 0x7B]
        return seeds
    }

    static func run(_ input: [UInt8]) {
        var source = ByteSource(input)
        let size = Int(source.byte()) + 1
        let bytes = source.remainder()
        let lines = lines(of: bytes, inPartsOf: size)
        claim(lines == self.lines(of: bytes, inPartsOf: max(bytes.count, 1)), "the lines do not depend on the parts")
        for line in lines {
            guard case .text(let text) = line, let message = ProgramMessage(text) else { continue }
            claim(message.event.map { $0.utf8.count <= 256 } ?? true, "an event has a name of at most 256 bytes")
            claim(message.details.values.allSatisfy { $0.utf8.count <= 256 }, "a detail has at most 256 bytes")
        }
    }

    private static func lines(of bytes: [UInt8], inPartsOf size: Int) -> [ProgramLine] {
        var splitter = LineSplitter(limit: limit)
        var lines: [ProgramLine] = []
        var start = 0
        while start < bytes.count {
            let part = bytes[start..<min(start + size, bytes.count)]
            part.withUnsafeBytes { splitter.append($0) }
            while let line = splitter.next() { lines.append(line) }
            start = part.endIndex
        }
        while let line = splitter.next(atEnd: true) { lines.append(line) }
        for line in lines {
            switch line {
            case .text(let text): claim(!text.utf8.contains(0x0A), "a line has no newline")
            // A replaced byte has three bytes.
            case .tooLong(let start): claim(start.utf8.count <= 3 * limit, "only the beginning of a long line is kept")
            }
        }
        return lines
    }
}
