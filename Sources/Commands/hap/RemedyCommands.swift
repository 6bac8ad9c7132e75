import HomeModel

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
