import HAPController
import HAPCore
import HomeModel

extension ExplainedError {
    /// The description, with the command that helps.
    func description(adding command: String?) -> String {
        command.map { "\(self) \($0)" } ?? description
    }
}

extension HomeError {
    /// The command that helps, if the remedy is the usual one of the rule and names no object.
    var command: String? {
        guard remedy == HomeError(code, at: "", "").remedy else { return nil }
        return switch code {
        case .unknownObject, .hiddenService: "'hap home show' lists what there is."
        case .notFound: "'hap home add-accessory' pairs an accessory."
        case .placeMissing: "'hap home change --help' shows how."
        default: nil
        }
    }
}

extension ControllerError {
    /// The command that helps.
    var command: String? {
        switch code {
        case .notFound: "'hap discover' lists the accessories."
        case .unknownCharacteristic: "'hap accessories' lists them."
        case .unknownAccessory: "'hap pairings' lists the pairings, and 'hap pair' adds one."
        case .alreadyPaired, .wrongAccessory, .unproven, .refused(.authentication):
            "'hap unpair ALIAS --force' removes a pairing here."
        default: nil
        }
    }
}
