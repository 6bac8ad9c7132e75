/// A parser or component to fuzz.
public protocol FuzzTarget: SendableMetatype {
    /// The name of the target in `FUZZ_TARGET`, and of its folder of seeds.
    static var name: String { get }

    /// The inputs with which mutation begins, by name.
    static var seeds: [String: [UInt8]] { get }

    /// Runs the target with one input. It must be deterministic, and ends the process if a claim does not hold.
    static func run(_ input: [UInt8])
}
