import AccessoryModel
import FuzzHarness
import HAPCore
import Simulation

/// Commands of the prompt: any line is performed, or refused with a reason.
enum PromptTarget: FuzzTarget {
    static let name = "prompt"

    static var seeds: [String: [UInt8]] {
        let lines = [
            "set": "set Target Door State to Open\rset Garage Light/Brightness=50\rset On true\r",
            "tab": "s\rset Garage Do\rset Door/Target\rfault la\rfault latency on Gar\rclear obstruction Gar\rpress \r",
            "letters": "show 車庫\rshow e\u{301}\u{200D}\u{2028}😀\rshow Door to = the é/on\r",
            "fault": "fault latency on Garage Door delay=2s times 3 for 1h 30min\rclear latency on 1.9\rclear faults\r",
            "time": "advance 2d 7h 30min\rpause\rresume\rscale 60\radvance 99999999d\rscale nan\rscale 1e400\r",
            "press": "press on double\rpress Doorbell long\robstruct Garage Door\rclear obstruction on Garage Door\r",
            "odd": "help\r?\rquit\rstp\r  \rset to to to\rset = =\rfault on on=on\rclear on on\r",
        ]
        var seeds = lines.mapValues { [0] + Array($0.utf8) }
        seeds["torn"] = [1] + Array("a".utf8) + [0xE8, 0x0D, 0xF0, 0x9F, 0x98, 0x0D, 0xFF, 0xC3, 0x0D]
        seeds["long"] = [1] + [UInt8](repeating: UInt8(ascii: "x"), count: 1_001) + [0x0D, 0x61, 0x0D]
        return seeds
    }

    static func run(_ input: [UInt8]) {
        var source = ByteSource(input)
        let names = source.byte() & 1 == 0 ? SimulatedGarages.one : SimulatedGarages.several
        let text = String(decoding: source.remainder(), as: UTF8.self)
        for line in text.split(whereSeparator: \.isNewline) {
            complete(String(line), names)
            execute(String(line), names)
        }
    }

    private static func complete(_ text: String, _ names: SimulationNames) {
        let completion = PromptCompletion(of: text, names)
        guard let common = completion.commonPrefix else { return }
        claim(completion.candidates.allSatisfy { $0.hasPrefix(common) }, "all begin with what is common to them")
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
