import AccessoryModel
import HAPController
import HAPCore

extension CommandFailure {
    /// What an error of the controller means to scripts, with the protocol's own word for it.
    init(_ error: ControllerError) {
        let code: Code =
            switch error.code {
            case .unreachable, .timedOut, .notFound, .connectionLost, .discovery: .unavailable
            case .wrongCode, .alreadyPaired, .busy, .tooManyTries, .maxPeers, .refused, .unproven, .requestFailed:
                .refused
            case .unknownAccessory, .unknownCharacteristic, .invalidValue, .taken: .usage
            case .wrongAccessory, .malformed, .store, .overflow, .cancelled, .closed: .failed
            }
        self.init(code, error.description.withVisibleControls)
    }

    /// What an accessory has refused of a request, each with its status; `nil` when nothing was refused.
    init?(refusals results: [CharacteristicResult], of found: [FoundCharacteristic]) {
        let refused = zip(results, found).filter { !$0.0.isSuccess }
        guard !refused.isEmpty else { return nil }
        let sentences = refused.map { result, found in
            "\(found.characteristic.name.withVisibleControls) (\(result.id)): \(result.statusText)"
        }
        self.init(.refused, sentences.joined(separator: "; ") + ".")
    }
}

extension CharacteristicResult {
    /// The status in HAP's words, a vendor's as its number.
    var statusText: String {
        HAPStatusText.text(code)
    }
}
