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
        memory: EngineMemory = EngineMemory()
    ) throws {
        self.init(home: try TestHome.home(automations, place: place), at: try moment(start), memory: memory)
    }

    init(home: Home, at now: WallInstant, memory: EngineMemory = EngineMemory()) {
        self.home = home
        self.now = now
        engine = HomeEngine(home: home, calendar: EuropeanCalendar(), startedAt: now, memory: memory)
    }

    /// Tells of a value, and returns what comes of it.
    @discardableResult
    mutating func see(_ selector: CharacteristicSelector, _ value: CharacteristicValue?) -> [String] {
        take(engine.observed(.value(selector, value), at: now))
        return look()
    }

    /// Tells of several values.
    @discardableResult
    mutating func see(_ selector: CharacteristicSelector, each values: [CharacteristicValue?]) -> [String] {
        values.flatMap { see(selector, $0) }
    }

    @discardableResult
    mutating func tell(_ observation: Observation) -> [String] {
        take(engine.observed(observation, at: now))
        return look()
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
            take(engine.advance(to: now))
        }
        now = end
        take(engine.advance(to: end))
        return look()
    }

    /// Lets time pass in one leap, as a machine that slept.
    mutating func leap(to instant: WallInstant) -> [String] {
        now = instant
        take(engine.advance(to: instant))
        return look()
    }

    mutating func replace(_ automations: [Automation]) throws -> [String] {
        home = try TestHome.home(automations)
        take(engine.replace(home: home, at: now))
        return look()
    }

    private mutating func look() -> [String] {
        defer { lines = [] }
        return lines
    }

    private mutating func take(_ actions: [EngineAction]) {
        for action in actions {
            switch action {
            case .journal(let entry):
                journal.append(entry)
                lines.append(entry.text(in: home, by: EuropeanCalendar()))
            case .run(let request):
                lines.append(text(request))
                guard obeys else { continue }
                for action in request.actions {
                    take(engine.observed(.value(action.characteristic, action.value), at: now))
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
