import HAPCore
import TestSupport
import Testing

@testable import hap

/// Tests how keys change a line.
struct LineEditorTests {
    private static let keys: [(typed: String, line: String)] = [
        ("show\r", "show"), ("shw\u{1B}[Do\r", "show"), ("how\u{01}s\r", "show"), ("shoow\u{1B}[D\u{7F}\r", "show"),
        ("xshow\u{1B}[H\u{1B}[3~\r", "show"), ("show x\u{17}\u{7F}\r", "show"), ("no\u{15}show\r", "show"),
        ("shownot\u{1B}[D\u{1B}[D\u{1B}[D\u{0B}\r", "show"), ("größe\u{7F}\r", "größ"), ("\u{1B}[99;99Xa\r", "a"),
        ("\u{1B}\u{1B}[Aa\n", "a"), ("a\u{0}\u{7}b\r", "ab"),
    ]

    @Test(arguments: keys.indices)
    func keysProduceTheExpectedLine(index: Int) {
        var editor = LineEditor()
        #expect(editor.process(Array(Self.keys[index].typed.utf8)) == [.line(Self.keys[index].line)])
    }

    @Test(arguments: keys.indices)
    func bytesMayArriveOneByOne(index: Int) {
        var editor = LineEditor()
        let events = Self.keys[index].typed.utf8.flatMap { editor.process([$0]) }
        #expect(events == [.line(Self.keys[index].line)])
    }

    @Test
    func historyRecallsEarlierLines() {
        var editor = LineEditor()
        _ = editor.process(Array("pause\rresume\r".utf8))
        _ = editor.process(Array("ad\u{1B}[A".utf8))
        #expect(editor.text == "resume")
        _ = editor.process(Array("\u{1B}[A\u{1B}[A\u{1B}[A".utf8))
        #expect(editor.text == "pause")
        _ = editor.process(Array("\u{1B}[B\u{1B}[B".utf8))
        #expect(editor.text == "ad")
    }

    @Test
    func controlDEndsAnEmptyLineOnly() {
        var editor = LineEditor()
        #expect(editor.process([0x61, 0x04]) == [])
        #expect(editor.process([0x7F, 0x04]) == [.endOfInput])
    }

    @Test(arguments: [0, 1, 2, 3, 10, 80])
    func aDrawingStaysWithinItsWidth(width: Int) {
        var editor = LineEditor()
        _ = editor.process(Array(String(repeating: "long ", count: 100).utf8))
        let (text, column) = editor.drawing(prompt: "> ", width: width)
        #expect(text.count <= max(width, 4))
        #expect(column <= text.count)
    }

    @Test
    func overlongLineIsRefusedAsAWhole() {
        var editor = LineEditor()
        let full = [UInt8](repeating: UInt8(ascii: "x"), count: LineEditor.maximumCount)
        #expect(editor.process(full + [0x0D]) == [.line(String(decoding: full, as: UTF8.self))])
        #expect(editor.process(full + [0x79, 0x0D]) == [.lineTooLong])
        #expect(editor.process(Array("show\r".utf8)) == [.line("show")])
        _ = editor.process(Array("\u{1B}[A\u{1B}[A".utf8))
        #expect(editor.text.utf8.elementsEqual(full))
    }

    @Test
    func deletedOverlongLineIsForgotten() {
        var editor = LineEditor()
        let long = [UInt8](repeating: UInt8(ascii: "x"), count: LineEditor.maximumCount + 1)
        #expect(
            editor.process(Array("pause\r".utf8) + long + Array("\u{15}show\r".utf8)) == [
                .line("pause"), .line("show"),
            ]
        )
        #expect(editor.process(long + Array("\u{1B}[A\r".utf8)) == [.line("show")])
        let away = "\u{01}" + String(repeating: "\u{1B}[3~", count: LineEditor.maximumCount)
        #expect(editor.process(long + Array("\(away)stop\r".utf8)) == [.line("stop")])
        // The line is restored in full, so it is still too long.
        #expect(editor.process(long + Array("\u{1B}[A\u{1B}[B\r".utf8)) == [.lineTooLong])
    }

    @Test
    func wideLettersTakeTwoColumnsAndMarksNone() {
        var editor = LineEditor()
        _ = editor.process(Array("車庫e\u{301}".utf8))
        #expect(editor.drawing(prompt: "> ", width: 80).column == 7)
        let (text, column) = editor.drawing(prompt: "> ", width: 7)
        #expect(text == "> 庫e\u{301}")
        #expect(column == 5)
    }

    @Test(arguments: ["\u{200D}", "\u{202E}", "\u{2028}", "\u{85}", "\u{FEFF}"])
    func terminalControlCharactersAreIgnored(text: String) {
        var editor = LineEditor()
        _ = editor.process(Array("a\(text)b".utf8))
        #expect(editor.text == "ab")
    }

    @Test
    func noBytesTrap() {
        var generator = SystemRandomNumberGenerator()
        var editor = LineEditor()
        for _ in 0..<20_000 {
            _ = editor.process([UInt8.random(in: 0...255, using: &generator)])
            _ = editor.drawing(prompt: "> ", width: Int.random(in: 0...100, using: &generator))
        }
    }

    /// Random keys: letters, controls, escape sequences, and parts of characters of several bytes.
    @Test(arguments: 0..<20)
    func anyKeysLeaveALineThatCanBeShown(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let parts: [[UInt8]] = [
            [0x1B], [0x1B, 0x5B], [0x1B, 0x5B, 0x44], [0x1B, 0x5B, 0x41], [0x1B, 0x4F, 0x41], [0x7F], [0x0D], [0x09],
            [0x15], [0x17], [0x0B], [0xE8], [0xF0, 0x9F], Array("車é😀e\u{301}\u{2028}".utf8),
            Array(repeating: 0x78, count: 300),
        ]
        var keys: [UInt8] = []
        for _ in 0..<60 {
            keys +=
                Bool.random(using: &random)
                ? parts.randomElement(using: &random) ?? [] : [.random(in: 0...255, using: &random)]
        }
        var (whole, pieces) = (LineEditor(), LineEditor())
        let events = whole.process(keys)
        var others: [LineEditor.Event] = []
        for key in keys {
            others += pieces.process([key])
            #expect(pieces.text.utf8.count <= 4 * LineEditor.maximumCount)
        }
        #expect(pieces.text.count <= LineEditor.maximumCount)
        #expect(pieces.text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
        // How the terminal divides the keys makes no difference.
        #expect(events == others && whole.text == pieces.text)
        for width in [0, 1, 4, 20, 80] {
            let (text, column) = pieces.drawing(prompt: "> ", width: width)
            #expect(text.unicodeScalars.starts(with: "> ".unicodeScalars) && 2...max(width - 1, 4) ~= column)
        }
    }
}
