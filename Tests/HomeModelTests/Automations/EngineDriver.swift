import AccessoryModel
import HomeModel

/// A driver that runs an engine with its own clock, as a home runner does, and records the engine's actions.
struct EngineDriver {
    var engine: HomeEngine
    var home: Home
    private(set) var now: WallInstant
    /// The lines since they were last collected: `RUN name: service/type=value …`, or the text of a journal entry.
    private var lines: [String] = []
    /// All journal entries, in order.
    private(set) var journal: [JournalEntry] = []
    /// Whether values that an automation sets are observed at once, as if all devices applied them.
    var obeys = false

    init(
        _ automations: [Automation],
        at start: String = "2026-06-01 12:00",
        place: GeographicPlace? = TestHome.frankfurt,
        memory: EngineState = EngineState()
    ) throws {
        self.init(home: try TestHome.home(automations, place: place), at: try moment(start), memory: memory)
    }

    init(home: Home, at now: WallInstant, memory: EngineState = EngineState()) {
        self.home = home
        self.now = now
        engine = HomeEngine(home: home, calendar: CentralEuropeanCalendar(), startedAt: now, memory: memory)
    }

    /// Reports a value to the engine, and returns the resulting lines.
    @discardableResult
    mutating func observe(_ selector: CharacteristicSelector, _ value: CharacteristicValue?) -> [String] {
        record(engine.observe(.value(selector, value), at: now))
        return collectActions()
    }

    /// Reports several values one after the other.
    @discardableResult
    mutating func observe(_ selector: CharacteristicSelector, each values: [CharacteristicValue?]) -> [String] {
        values.flatMap { observe(selector, $0) }
    }

    @discardableResult
    mutating func observeInput(_ observation: EngineInput) -> [String] {
        record(engine.observe(observation, at: now))
        return collectActions()
    }

    /// Advances the time from deadline to deadline, as a home runner does.
    @discardableResult
    mutating func sleep(_ duration: Duration) -> [String] {
        sleep(until: now.advanced(by: duration))
    }

    @discardableResult
    mutating func sleep(until end: WallInstant) -> [String] {
        while let due = engine.nextDeadline, due <= end {
            now = max(now, due)
            record(engine.advance(to: now))
        }
        now = end
        record(engine.advance(to: end))
        return collectActions()
    }

    /// Advances the time in one step, like a machine that wakes from sleep.
    mutating func setClock(to instant: WallInstant) -> [String] {
        now = instant
        record(engine.advance(to: instant))
        return collectActions()
    }

    mutating func replace(_ automations: [Automation]) throws -> [String] {
        home = try TestHome.home(automations)
        record(engine.replace(home: home, at: now))
        return collectActions()
    }

    private mutating func collectActions() -> [String] {
        defer { lines = [] }
        return lines
    }

    private mutating func record(_ actions: [EngineAction]) {
        for action in actions {
            switch action {
            case .journal(let entry):
                journal.append(entry)
                lines.append(entry.text(in: home, by: CentralEuropeanCalendar()))
            case .run(let request):
                lines.append(text(request))
                guard obeys else { continue }
                for action in request.actions {
                    record(engine.observe(.value(action.characteristic, action.value), at: now))
                }
            }
        }
    }

    private func text(_ request: RunRequest) -> String {
        let name = home.automations.first { $0.id == request.automation }?.name.text ?? "?"
        let actions = request.actions.map { action in
            let service = home.accessories.flatMap(\.services).first { $0.id == action.characteristic.service }
            return "\(service?.name.text ?? "?")=\(action.value)"
        }
        return "\(request.part == .end ? "END" : "RUN") \(name): \(actions.joined(separator: ", "))"
    }
}

extension [String] {
    /// The lines of runs and ends, without the journal.
    var runs: [String] { filter { $0.hasPrefix("RUN") || $0.hasPrefix("END") } }
    /// The lines of the journal, without runs and ends.
    var words: [String] { filter { !$0.hasPrefix("RUN") && !$0.hasPrefix("END") } }
}
