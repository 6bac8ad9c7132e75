import Foundation
import HomeKit
import KilgoApp

/// Shows the screens, and controls them with the keyboard.
@MainActor
final class KeyboardSession: HomeStoreObserver {
    private let store: HomeStore
    private let list: TileList
    private let simulation: SimulatedGarage?
    private let terminal: Terminal

    /// The open pages, the visible one last, with the selected rows.
    private var stack: [(page: Page, selection: Int)]
    private var question: Question?
    private var message = ""
    /// The ends of the sliders' movements, shortly after the last key.
    private var slides: [Setting.ID: Task<Void, any Error>] = [:]

    /// A question in the last line.
    private struct Question {
        let text: String
        var answer: String
        let continuation: CheckedContinuation<String?, Never>
    }

    init(_ store: HomeStore, _ sheet: SetupSheet, _ simulation: SimulatedGarage?, _ terminal: Terminal) {
        (self.store, self.simulation, self.terminal) = (store, simulation, terminal)
        list = TileList(store)
        stack = [(.tiles(list), 0)]
        store.addObserver(self)
        sheet.onQuestion = { [weak self] in await self?.answer($0) }
    }

    /// Shows the screens until the user quits.
    func run() async {
        terminal.start { [weak self] in self?.redraw() }
        defer { terminal.restore() }
        redraw()
        // Simulated time stands still at first, for tests.
        _ = try? await simulation?.perform("resume")
        for await key in terminal.keys() {
            if key == .end { return }
            if question != nil {
                edit(key)
            } else if !handle(key) {
                return
            }
            redraw()
        }
    }

    func homeStoreDidUpdate(_ store: HomeStore) {
        while stack.count > 1, !page.isPresent { stack.removeLast() }
        redraw()
    }

    private var page: Page { stack[stack.count - 1].page }

    private var selection: Int {
        get { min(stack[stack.count - 1].selection, max(0, page.rows.count - 1)) }
        set { stack[stack.count - 1].selection = max(0, min(newValue, page.rows.count - 1)) }
    }

    // MARK: Drawing

    private func redraw() {
        let rows = page.rows
        let last = question.map { "\($0.text) \($0.answer)▏" } ?? message
        let head = [page.title] + terminal.wrapped(page.note ?? "") + [""]
        let hints = TerminalText.hints(page, isSimulated: simulation != nil, isQuestion: question != nil)
        let foot = [""] + terminal.wrapped(last) + [hints]
        // The rows around the selected one, if not all fit.
        let room = max(1, terminal.size.rows - head.count - foot.count)
        let start = max(0, min(selection - room / 2, rows.count - room))
        let selects = if case .detail = page { false } else { !rows.isEmpty }
        terminal.draw(
            head + rows.dropFirst(start).prefix(room).map { "  \($0)" } + foot,
            highlighted: selects ? head.count + selection - start : nil
        )
    }

    // MARK: Keys

    /// Returns `false` if the program ends.
    private func handle(_ key: Key) -> Bool {
        message = ""
        switch (key, page) {
        case (.character("q"), .tiles): return false
        case (.escape, .tiles): break
        case (.character("q"), _), (.escape, _): stack.removeLast()
        case (.up, _): selection -= 1
        case (.down, _): selection += 1
        case (.character("!"), _) where simulation != nil: start(simulate)
        case (_, .tiles): handleOnTiles(key)
        case (.character("r"), .detail(let detail)): start { await self.rename(detail) }
        case (.character("m"), .detail(let detail)): start { await self.move(detail) }
        case (.character("x"), .detail(let detail)): start { await self.remove(detail) }
        case (.left, .settings(let settings)): change(settings, by: -1)
        case (.right, .settings(let settings)), (.enter, .settings(let settings)),
            (.character(" "), .settings(let settings)):
            change(settings, by: 1)
        default: break
        }
        return true
    }

    private func handleOnTiles(_ key: Key) {
        if key == .character("a") { return start(add) }
        guard store.services.indices.contains(selection) else { return }
        let service = store.services[selection]
        switch key {
        case .enter, .character(" "): start { await self.list.tap(service.uniqueIdentifier) }
        case .character("d"): stack.append((.detail(AccessoryDetail(service, in: store)), 0))
        case .character("s"): stack.append((.settings(AccessorySettings(service, in: store)), 0))
        default: break
        }
    }

    /// Starts what may take a while, so that keys are handled in the meantime.
    private func start(_ action: @escaping @MainActor () async -> Void) {
        Task {
            await action()
            redraw()
        }
    }

    private func change(_ settings: AccessorySettings, by direction: Double) {
        guard settings.settings.indices.contains(selection) else { return }
        let setting = settings.settings[selection]
        let value = setting.value ?? 0
        switch setting.control {
        case .none: message = TerminalText.notChangeable(setting.label)
        case .toggle: start { await settings.set(setting.id, to: 1 - value) }
        case .segments(let segments):
            let index = segments.firstIndex { $0.value == value } ?? 0
            let next = segments[(index + Int(direction) + segments.count) % segments.count]
            start { await settings.set(setting.id, to: next.value) }
        case .slider(let range, let step):
            let stride = max(step, ((range.upperBound - range.lowerBound) / 20 / step).rounded() * step)
            settings.slide(setting.id, to: value + direction * stride)
            slides[setting.id]?.cancel()
            slides[setting.id] = Task {
                try await Task.sleep(for: .milliseconds(600))
                await settings.endSliding(setting.id)
            }
        }
    }

    // MARK: Questions

    private func edit(_ key: Key) {
        switch key {
        case .character(let character): question?.answer.append(character)
        case .backspace: _ = question?.answer.popLast()
        case .enter, .escape:
            let answered = question
            question = nil
            answered?.continuation.resume(returning: key == .enter ? answered?.answer : nil)
        default: break
        }
    }

    /// Returns the answer, or `nil` if the user cancels.
    private func ask(_ text: String, suggestion: String = "") async -> String? {
        guard question == nil else { return nil }
        return await withCheckedContinuation { continuation in
            question = Question(text: text, answer: suggestion, continuation: continuation)
            redraw()
        }
    }

    private func answer(_ asked: HomeKitSetupQuestion) async -> HomeKitSetupAnswer? {
        message = ""
        let found = asked.discovered
        guard let code = await ask(TerminalText.askCode(found), suggestion: await simulation?.setupCode ?? "")
        else { return nil }
        guard asked.accessory == nil, found.count != 1 else { return HomeKitSetupAnswer(code: code) }
        guard let choice = await ask(TerminalText.askAccessory(found)) else { return nil }
        let name = Int(choice).flatMap { (1...max(1, found.count)).contains($0) ? found.dropFirst($0 - 1).first : nil }
        return HomeKitSetupAnswer(code: code, accessory: name ?? (choice.isEmpty ? nil : choice))
    }

    // MARK: Actions

    private func add() async {
        await perform {
            if store.home == nil {
                guard let name = await ask(TerminalText.askHome, suggestion: AppText.homeName) else { return nil }
                try await store.addHome(named: name)
            }
            message = TerminalText.searching
            redraw()
            try await store.addAccessory()
            return TerminalText.added
        }
    }

    private func rename(_ detail: AccessoryDetail) async {
        await perform {
            guard let name = await ask(TerminalText.askName, suggestion: detail.name) else { return nil }
            try await detail.rename(to: name)
            return TerminalText.renamed(name)
        }
    }

    private func move(_ detail: AccessoryDetail) async {
        await perform {
            guard let room = await ask(TerminalText.askRoom(detail.rooms)) else { return nil }
            try await detail.move(toRoom: room)
            return TerminalText.moved(detail.name, room)
        }
    }

    private func remove(_ detail: AccessoryDetail) async {
        await perform {
            let name = detail.name
            let answer = await ask(TerminalText.askRemoval([name] + detail.siblings))
            guard answer?.isSame("y") == true else { return nil }
            try await detail.remove()
            return TerminalText.removed(name)
        }
    }

    private func simulate() async {
        await perform {
            guard let simulation, let command = await ask(TerminalText.askSimulator) else { return nil }
            return try await simulation.perform(command).split(separator: "\n").joined(separator: "; ")
        }
    }

    /// Performs an action, and shows the message that it returns or throws.
    private func perform(_ action: @MainActor () async throws -> String?) async {
        do {
            message = try await action() ?? ""
        } catch {
            message = TerminalText.message(error)
        }
    }
}
