import FuzzHarness

private let targets = FuzzTargets([
    BodiesTarget.self, CodecTarget.self, ControllerCodecTarget.self, FramesTarget.self, HTTPRequestTarget.self,
    HTTPResponseTarget.self,
    JSONTarget.self, PairSetupTarget.self, PairVerifyTarget.self, PairingsTarget.self, SRPTarget.self, TLV8Target.self,
    TextsTarget.self,
])

/// The function that libFuzzer calls with every input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    targets.run(bytes, count)
    return 0
}
