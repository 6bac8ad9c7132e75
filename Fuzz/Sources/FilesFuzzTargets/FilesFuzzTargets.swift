public import FuzzHarness

/// The targets of the program FilesFuzzer.
public let filesFuzzTargets: [any FuzzTarget.Type] = [
    ArchiveTarget.self, DefinitionTarget.self, DumpTarget.self, HomeTarget.self, PlistTarget.self, PhraseTarget.self,
    ProgramTarget.self, PromptTarget.self, ScenarioTarget.self,
]
