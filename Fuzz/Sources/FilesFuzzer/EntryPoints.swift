import FuzzHarness

private let targets = FuzzTargets([
    ArchiveTarget.self, DefinitionTarget.self, DumpTarget.self, HomeTarget.self, PlistTarget.self,
    PhraseTarget.self, PromptTarget.self, ScenarioTarget.self,
])

/// The function that libFuzzer calls with every input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    targets.run(bytes, count)
    return 0
}
