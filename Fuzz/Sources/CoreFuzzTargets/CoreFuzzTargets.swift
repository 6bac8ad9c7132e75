public import FuzzHarness

/// The targets of the program CoreFuzzer.
public let coreFuzzTargets: [any FuzzTarget.Type] = [
    AirPlayTarget.self, AudioReceiverTarget.self, BodiesTarget.self, CastSenderTarget.self, CastTarget.self,
    CodecTarget.self, ControllerCodecTarget.self, DMAPTarget.self, FramesTarget.self, HLSTarget.self,
    HTTPRequestTarget.self, HTTPResponseTarget.self, JSONTarget.self, PairSetupTarget.self, PairVerifyTarget.self,
    PairingsTarget.self, SRPTarget.self, SessionDescriptionTarget.self, TLV8Target.self, TextsTarget.self,
]
