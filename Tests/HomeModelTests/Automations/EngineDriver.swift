import AccessoryModel
import HomeModel

/// Owns an engine as a runner does, on a clock of its own, and writes down what it answers.
struct EngineDriver {
    var engine: HomeEngine
    var home: Home
    private(set) var now: WallInstant
    /// The lines since they were looked at last: `RUN name: service/type=value …`, or the journal's text.
    private var lines: [String] = []
    /// Every entry, in order.
    private(set) var journal: [JournalEntry] = []
    /// Whether what is run is told as observed at once, as in a world whose devices obey.
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

    /// Tells of a value, and returns what comes of it.
    @discardableResult
    mutating func observe(_ selector: CharacteristicSelector, _ value: CharacteristicValue?) -> [String] {
        record(engine.observe(.value(selector, value), at: now))
        return collectActions()
    }

    /// Tells of several values.
    @discardableResult
    mutating func observe(_ selector: CharacteristicSelector, each values: [CharacteristicValue?]) -> [String] {
        values.flatMap { observe(selector, $0) }
    }

    @discardableResult
    mutating func observeInput(_ observation: EngineInput) -> [String] {
        record(engine.observe(observation, at: now))
        return collectActions()
    }

    /// Lets time pass as a runner does: from deadline to deadline.
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

    /// Lets time pass in one leap, as a machine that slept.
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
    /// What was run, without the journal.
    var runs: [String] { filter { $0.hasPrefix("RUN") || $0.hasPrefix("END") } }
    /// The journal, without what was run.
    var words: [String] { filter { !$0.hasPrefix("RUN") && !$0.hasPrefix("END") } }
}
