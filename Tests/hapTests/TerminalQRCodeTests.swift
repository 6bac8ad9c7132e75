import Foundation
import TestSupport
import Testing

@testable import hap

@Suite struct TerminalQRCodeTests {
    @Test(
        "A reader decodes the drawn lines to the payload",
        arguments: ["X-HM://0071WK4SM7OSX", "X-HM://0042O34BPA1B2", "X-HM://00522H1VM0Z9Q"]
    )
    func drawnLinesDecodeToThePayload(payload: String) throws {
        let code = try #require(TerminalQRCode(payload))
        #expect(try decoded(code.lines) == payload)
    }

    @Test func setupPayloadIsAVersion2CodeWithAQuietZoneOf4() throws {
        let lines = try #require(TerminalQRCode("X-HM://0042O34BPA1B2")).lines
        #expect(lines.count == 17)
        #expect(lines.allSatisfy { $0.count == 33 })
        #expect(lines.prefix(2).allSatisfy { $0.allSatisfy { $0 == "█" } })

    }

    @Test func coloredLinesShowTheSameBlocksInBrightWhiteOnBlack() throws {
        let code = try #require(TerminalQRCode("X-HM://0042O34BPA1B2"))
        #expect(code.coloredLines == code.lines.map { "\u{1B}[97;40m" + $0 + "\u{1B}[0m" })
    }

    @Test(
        "What the alphanumeric mode cannot hold has no code",
        arguments: ["", "x-hm://0042o34bpa1b2", "X-HM://Ä", String(repeating: "A", count: 10_000)]
    )
    func payloadBeyondAlphanumericModeHasNoCode(payload: String) {
        #expect(TerminalQRCode(payload) == nil)
    }

    /// Returns what `zbarimg` reads from the lines as a dark terminal shows them.
    private func decoded(_ lines: [String]) throws -> String {
        let image = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).pgm")
        try portableGrayMap(lines).write(to: image)
        defer { try? FileManager.default.removeItem(at: image) }
        let output = Pipe()
        let reader = try ChildProcess(["zbarimg", "--raw", "-q", image.path], output: output.fileHandleForWriting)
        try output.fileHandleForWriting.close()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        reader.waitUntilExit()
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private func portableGrayMap(_ lines: [String], pixelsPerModule scale: Int = 6) -> Data {
        let rows = lines.flatMap { line in
            [line.map { "█▀".contains($0) }, line.map { "█▄".contains($0) }]
        }
        let width = rows.map(\.count).max() ?? 0
        var image = Data("P5 \(width * scale) \(rows.count * scale) 255\n".utf8)
        for row in rows {
            let pixels = row.flatMap { light in [UInt8](repeating: light ? 255 : 0, count: scale) }
            for _ in 0..<scale {
                image.append(contentsOf: pixels)
            }
        }
        return image
    }
}
