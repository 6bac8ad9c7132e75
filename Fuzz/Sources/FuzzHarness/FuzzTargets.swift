import Glibc

/// The targets of a program; a process fuzzes one of them.
package struct FuzzTargets: Sendable {
    private let chosen: any FuzzTarget.Type

    /// Selects the target that `FUZZ_TARGET` names.
    ///
    /// If `FUZZ_WRITE_SEEDS` names a folder, writes the seeds of all targets there and ends the process.
    package init(_ targets: [any FuzzTarget.Type]) {
        if let folder = Self.environment("FUZZ_WRITE_SEEDS") {
            SeedFolder(path: folder).write(targets)
            // `exit` would run libFuzzer's exit handler, which reports a failure.
            _exit(0)
        }
        let name = Self.environment("FUZZ_TARGET") ?? ""
        guard let chosen = targets.first(where: { $0.name == name }) else {
            fatalError("FUZZ_TARGET names none of \(targets.map { $0.name }.joined(separator: ", "))")
        }
        self.chosen = chosen
    }

    /// Runs the target with an input from libFuzzer.
    package func run(_ bytes: UnsafePointer<UInt8>?, _ count: Int) {
        chosen.run(Array(UnsafeBufferPointer(start: bytes, count: count)))
    }

    private static func environment(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }
}
