import CoreFuzzTargets
import FuzzHarness

private let targets = FuzzTargets(coreFuzzTargets)

/// The function that libFuzzer calls with every input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    targets.run(bytes, count)
    return 0
}
