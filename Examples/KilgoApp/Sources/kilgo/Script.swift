import Foundation
import HomeKit
import KilgoApp

/// Performs commands from standard input, one a line, until one fails.
@MainActor
final class Script {
    private let store: HomeStore
    private let list: TileList
    private let simulation: SimulatedGarage?
    /// The page that `show`, `detail` and `settings` choose, and that `wait` looks at.
    private var page: Page
    private var answer: HomeKitSetupAnswer?
    /// The accessories among which `add` did not choose.
    private var choices: [String] = []

    init(_ store: HomeStore, _ sheet: SetupSheet, _ simulation: SimulatedGarage?) {
        (self.store, self.simulation, list) = (store, simulation, TileList(store))
        page = .tiles(list)
        sheet.onQuestion = { [weak self] in self?.answer($0) }
    }

    func run() async throws {
        try await wait(orFail: TerminalText.notLoaded) { store.isLoaded }
        var number = 0
        while let line = await Self.nextLine() {
            number += 1
            do {
                guard try await perform(line.trimmingCharacters(in: .whitespaces)) else { return }
            } catch {
                throw UsageError(TerminalText.failed(line: number, TerminalText.message(error)))
            }
        }
    }

    /// Returns the next line of standard input, or `nil` at its end.
    ///
    /// Another thread reads it, because the main queue must run.
    private static func nextLine() async -> String? {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: readLine()) }
        }
    }

    /// Returns whether the script continues.
    private func perform(_ line: String) async throws -> Bool {
        if line.isEmpty || line.hasPrefix("#") { return true }
        let word = line.prefix { $0 != " " }
        let rest = line.dropFirst(word.count).trimmingCharacters(in: .whitespaces)
        switch word {
        case "show": show(.tiles(list))
        case "detail": show(.detail(AccessoryDetail(try service(rest), in: store)))
        case "settings": show(.settings(AccessorySettings(try service(rest), in: store)))
        case "tap": try await tap(rest)
        case "set": try await change(rest, slides: false)
        case "slide": try await change(rest, slides: true)
        case "rename": try await rename(rest)
        case "room": try await move(rest)
        case "add": try await add(rest)
        case "remove": try await remove(rest)
        case "wait" where !rest.isEmpty:
            try await wait(orFail: TerminalText.notShown(rest)) { isShown(rest) }
            write(TerminalText.shown(rest))
        case "!": try await simulate(rest)
        case "wait": throw TerminalText.usage("wait")
        case "quit": return false
        default: throw UsageError(TerminalText.unknownCommand(String(word)))
        }
        return true
    }

    private func show(_ page: Page) {
        self.page = page
        for line in page.lines { write(line) }
    }

    private func tap(_ name: String) async throws {
        let id = try service(name).uniqueIdentifier
        await list.tap(id)
        for tile in list.tiles where tile.id == id { write("\(tile.name): \(tile.state)") }
    }

    /// Performs `set` or `slide`, with the rest of the form LABEL of NAME to VALUE.
    private func change(_ text: String, slides: Bool) async throws {
        let usage = TerminalText.usage(slides ? "slide" : "set")
        guard let of = text.range(of: " of ") else { throw usage }
        let (name, wanted) = try division(String(text[of.upperBound...]), usage)
        let (label, settings) = (String(text[..<of.lowerBound]), AccessorySettings(try service(name), in: store))
        guard let setting = settings.settings.first(where: { $0.label.isSame(label) }) else {
            throw UsageError(TerminalText.unknownSetting(label, settings.name, settings.settings.map(\.label)))
        }
        let value = try SettingValue(wanted, of: setting, slides: slides).value
        if slides {
            let start = setting.value ?? 0
            for step in 1...10 {
                settings.slide(setting.id, to: start + (value - start) * Double(step) / 10)
                try await Task.sleep(for: .milliseconds(10))
            }
            await settings.endSliding(setting.id)
        } else {
            await settings.set(setting.id, to: value)
        }
        for new in settings.settings where new.id == setting.id {
            write("\(new.label) of \(settings.name): \(settings.failure ?? new.text)")
        }
    }

    private func rename(_ text: String) async throws {
        let (name, new) = try division(text, TerminalText.usage("rename"))
        try await AccessoryDetail(try service(name), in: store).rename(to: new)
        write(TerminalText.renamed(new))
    }

    private func move(_ text: String) async throws {
        let (name, room) = try division(text, TerminalText.usage("room"))
        let detail = AccessoryDetail(try service(name), in: store)
        try await detail.move(toRoom: room)
        write(TerminalText.moved(detail.name, room))
    }

    private func remove(_ name: String) async throws {
        let detail = AccessoryDetail(try service(name), in: store)
        let removed = detail.name
        try await detail.remove()
        write(TerminalText.removed(removed))
    }

    private func add(_ text: String) async throws {
        let written = text.split(separator: " ", maxSplits: 1).map(String.init)
        let simulatedCode = await simulation?.setupCode
        guard let code = written.first ?? simulatedCode else { throw TerminalText.usage("add") }
        answer = HomeKitSetupAnswer(code: code, accessory: written.dropFirst().first)
        choices = []
        do {
            if store.home == nil { try await store.addHome(named: AppText.homeName) }
            try await store.addAccessory()
        } catch {
            throw choices.isEmpty ? error : UsageError(TerminalText.several(choices))
        }
        write(TerminalText.added)
    }

    private func answer(_ question: HomeKitSetupQuestion) -> HomeKitSetupAnswer? {
        guard answer?.accessory != nil || question.discovered.count < 2 else {
            choices = question.discovered
            return nil
        }
        return answer
    }

    private func simulate(_ command: String) async throws {
        guard let simulation else { throw UsageError(TerminalText.notSimulated) }
        let answer = try await simulation.perform(command)
        for line in answer.split(separator: "\n") { write(String(line)) }
    }

    /// Writes a line at once.
    ///
    /// The C library would buffer it, and flushing all streams would wait for the thread that reads.
    private func write(_ line: String) {
        try? FileHandle.standardOutput.write(contentsOf: Data("\(line.withoutControls)\n".utf8))
    }

    // MARK: Waiting

    /// Waits until a condition is true, at most 30 s.
    private func wait(orFail message: String, until condition: () -> Bool) async throws {
        let end = ContinuousClock.now + .seconds(30)
        while !condition() {
            guard ContinuousClock.now < end else {
                throw UsageError(([message] + page.lines).joined(separator: "\n  "))
            }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    private func isShown(_ text: String) -> Bool {
        if !page.isPresent { page = .tiles(list) }
        return page.lines.contains { $0.withSingleSpaces.contains(text.withSingleSpaces) }
    }

    // MARK: Names

    private func service(_ name: String) throws -> HMService {
        guard let service = store.services.first(where: { $0.name.isSame(name) }) else {
            throw UsageError(TerminalText.unknownName(name, store.services.map(\.name)))
        }
        return service
    }

    /// Divides text of the form NAME to REST; the name may contain " to ", too.
    private func division(_ text: String, _ usage: UsageError) throws -> (name: String, rest: String) {
        let places = text.ranges(of: " to ")
        guard let first = places.first else { throw usage }
        let place = places.first { (try? service(String(text[..<$0.lowerBound]))) != nil } ?? first
        return (String(text[..<place.lowerBound]), String(text[place.upperBound...]))
    }
}

extension String {
    func isSame(_ name: String) -> Bool { caseInsensitiveCompare(name) == .orderedSame }

    fileprivate var withSingleSpaces: String { split(separator: " ").joined(separator: " ") }
}
