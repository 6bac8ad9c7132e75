public import FuzzHarness

/// The targets of the program CoreFuzzer.
public let coreFuzzTargets: [any FuzzTarget.Type] = [
    BodiesTarget.self, CastTarget.self, CodecTarget.self, ControllerCodecTarget.self, FramesTarget.self,
    HTTPRequestTarget.self,
    HTTPResponseTarget.self, JSONTarget.self, PairSetupTarget.self, PairVerifyTarget.self, PairingsTarget.self,
    SRPTarget.self, TLV8Target.self, TextsTarget.self,
]
