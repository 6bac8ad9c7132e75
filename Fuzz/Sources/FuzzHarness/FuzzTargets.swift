import Glibc

/// The targets of a program; a process fuzzes one of them.
public struct FuzzTargets: Sendable {
    private let chosen: any FuzzTarget.Type

    /// Selects the target that `FUZZ_TARGET` names.
    public init(_ targets: [any FuzzTarget.Type]) {
        let name = getenv("FUZZ_TARGET").map { String(cString: $0) } ?? ""
        guard let chosen = targets.first(where: { $0.name == name }) else {
            fatalError("FUZZ_TARGET names none of \(targets.map { $0.name }.joined(separator: ", "))")
        }
        self.chosen = chosen
    }

    /// Runs the target with an input from libFuzzer.
    public func run(_ bytes: UnsafePointer<UInt8>?, _ count: Int) {
        chosen.run(Array(UnsafeBufferPointer(start: bytes, count: count)))
    }
}
