/// One thing to be fuzzed.
package protocol FuzzTarget: SendableMetatype {
    /// Its name in `FUZZ_TARGET`, and of its folder of seeds.
    static var name: String { get }

    /// The inputs with which mutation begins, by name.
    static var seeds: [String: [UInt8]] { get }

    /// Does what it does with one input, the same each time, and ends the process when something does not hold.
    static func run(_ input: [UInt8])
}
