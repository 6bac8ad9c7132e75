/// A piece of work whose instructions are counted.
///
/// Creating a benchmark prepares everything. Only ``run`` is counted, or the part of it that it passes to `measured`.
struct Benchmark {
    /// Performs all prepared iterations.
    let run: () throws -> Void
    /// Throws an error if the work did not have the expected result.
    let check: () throws -> Void

    /// Creates a benchmark whose whole work is counted.
    init(run: @escaping () throws -> Void, check: @escaping () throws -> Void = {}) {
        self.init(measuringItself: { try measured(run) }, check: check)
    }

    /// Creates a benchmark that itself passes to `measured` the work to count.
    init(measuringItself run: @escaping () throws -> Void, check: @escaping () throws -> Void) {
        self.run = run
        self.check = check
    }

    /// All benchmarks: the name, and a function that prepares a number of iterations.
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
