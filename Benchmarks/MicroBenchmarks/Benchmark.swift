/// A piece of work whose instructions are counted.
///
/// Creating a benchmark prepares everything. Only the work of ``run`` is counted, or the part of it that ``run`` marks.
struct Benchmark {
    /// Does all of the prepared iterations.
    let run: () throws -> Void
    /// Whether the work did what it should.
    let check: () throws -> Void

    /// Creates one all of whose work is counted.
    init(run: @escaping () throws -> Void, check: @escaping () throws -> Void = {}) {
        self.init(measuringItself: { try measured(run) }, check: check)
    }

    /// Creates a benchmark that passes the work to count to `measured` itself.
    init(measuringItself run: @escaping () throws -> Void, check: @escaping () throws -> Void) {
        self.run = run
        self.check = check
    }

    /// Every benchmark: its name, and what prepares that many iterations of it.
    static let all: [(name: String, prepare: @Sendable (Int) throws -> Benchmark)] = [
        ("seal", seal),
        ("open", open),
        ("get", get),
        ("put", put),
        ("event", event),
        ("verify", verify),
        ("accessories", accessories),
        ("accessories-bridge", accessoriesOfBridge),
        ("automation", automation),
        ("automation-crowd", automationsOfOneSensor),
    ]
}
