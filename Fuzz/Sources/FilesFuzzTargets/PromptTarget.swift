import AccessoryFiles
import AccessoryModel
import FuzzHarness
import HAPCore
import Simulation

/// The prompt: for any input, the line stays within its limits, and is performed or refused with a reason.
enum PromptTarget: FuzzTarget {
    static let name = "prompt"

    static var seeds: [String: [UInt8]] {
        let lines = [
            "set": "set Target Door State to Open\rset Garage Light/Brightness=50\rset On true\r",
            "tab": "s\tet Gar\tage Do\t/Target\t\tO\t\rfault la\t on Gar\t\rclear ob\tGar\t\rpress \tstop \t",
            "keys":
                "shw\u{1B}[Do\u{1B}[H\u{1B}[3~\u{1B}[F\u{1B}OA\u{1B}[A\u{10}\u{0E}x\u{17}\u{15}\u{0B}\u{01}\u{05}\u{02}\u{06}\u{7F}\r\u{04}",
            "letters": "show 車庫\u{1B}[D\u{1B}[De\u{301}\u{200D}\u{2028}😀\rshow Door to = the é/on\r",
            "fault": "fault latency on Garage Door delay=2s times 3 for 1h 30min\rclear latency on 1.9\rclear faults\r",
            "time": "advance 2d 7h 30min\rpause\rresume\rscale 60\radvance 99999999d\rscale nan\rscale 1e400\r",
            "press": "press on double\rpress Doorbell long\robstruct Garage Door\rclear obstruction on Garage Door\r",
            "odd": "help\r?\rquit\rstp\r  \rset to to to\rset = =\rfault on on=on\rclear on on\r",
        ]
        var seeds = lines.mapValues { [40, 3] + Array($0.utf8) }
        seeds["torn"] =
            [1, 0] + Array("a".utf8) + [0xE8, 0x1B, 0x5B, 0x31, 0x3B, 0xF0, 0x9F, 0x98, 0x0D, 0xFF, 0xC3, 0x0D]
        seeds["overlong"] = [81, 9] + [UInt8](repeating: UInt8(ascii: "x"), count: 1_001) + [0x0D, 0x61, 0x0D]
        return seeds
    }

    static func run(_ input: [UInt8]) {
        var source = ByteSource(input)
        let options = source.byte()
        let cuts = Cuts(source.byte())
        let typed = source.remainder()
        checkPieces(typed, cuts)
        let names = options & 1 == 0 ? SimulatedGarages.one : SimulatedGarages.several
        var editor = LineEditor()
        for byte in typed {
            for event in editor.process([byte]) {
                switch event {
                case .line(let line): execute(line, names)
                case .completionRequested: complete(&editor, names)
                case .lineTooLong, .endOfInput: break
                }
            }
            check(editor, width: Int(options) / 2)
        }
    }

    /// Checks that the result does not depend on how the terminal cuts the keys into pieces.
    private static func checkPieces(_ typed: [UInt8], _ cuts: Cuts) {
        var (whole, pieces, cuts) = (LineEditor(), LineEditor(), cuts)
        let events = whole.process(typed)
        var others: [LineEditor.Event] = []
        cuts.forEach(of: typed) { others += pieces.process($0) }
        claim(events == others, "keys do the same whole and in pieces")
        claim(whole.text == pieces.text, "a line is the same whole and in pieces")
    }

    private static func check(_ editor: LineEditor, width: Int) {
        claim(editor.text.count <= LineEditor.maximumCount, "a line has its limit")
        claim(
            editor.text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control },
            "nothing in a line steers the terminal"
        )
        let (text, column) = editor.drawing(prompt: "> ", width: width)
        claim(text.unicodeScalars.starts(with: "> ".unicodeScalars), "the prompt is drawn")
        claim(2...max(width - 1, 4) ~= column, "the cursor stands in the terminal")
    }

    private static func complete(_ editor: inout LineEditor, _ names: SimulationNames) {
        let text = editor.textToCursor
        let completion = PromptCompletion(of: text, names)
        guard let common = completion.commonPrefix else { return }
        claim(completion.candidates.allSatisfy { $0.hasPrefix(common) }, "all begin with what is common to them")
        editor.replaceTextToCursor(with: common)
    }

    private static func execute(_ line: String, _ names: SimulationNames) {
        let command: PromptCommand
        switch outcome({ () throws(SimulationError) in try PromptCommand(line, names) }) {
        case .failure(let error): return check(error)
        case .success(let understood): command = understood
        }
        switch command {
        case .empty, .help, .faults, .quit: break
        case .show(let target):
            guard let target else { break }
            if case .failure(let error) = outcome({ () throws(SimulationError) in try names.resolve(target) }) {
                check(error)
            }
        case .perform(let action):
            if case .failure(let error) = outcome({ () throws(SimulationError) in try names.resolve(action) }) {
                check(error)
            } else if case .fault(let request) = action {
                _ = FaultCatalog.definition(named: request.name)?.effect(arguments: request.arguments)
            }
        }
    }

    private static func check(_ error: SimulationError) {
        claim(error.reason.hasSuffix("."), "a reason is a sentence: \(error.reason)")
        claim(error.remedy.hasSuffix(".") || error.remedy.hasSuffix("?"), "a remedy is a sentence: \(error.remedy)")
        claim(error.description.count < 4_000, "a refusal is not a page")
    }
}
