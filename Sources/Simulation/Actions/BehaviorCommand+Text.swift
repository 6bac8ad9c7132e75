package import AccessoryModel

extension BehaviorCommand {
    /// What somebody cannot be asked to do who does not know it: "does not know how to be stopped".
    package var verb: String {
        switch self {
        case .stop: "be stopped"
        case .obstruct: "be obstructed"
        case .clearObstruction: "be freed"
        case .press(.single): "be pressed"
        case .press(.double): "be pressed twice"
        case .press(.long): "be pressed for a while"
        case .sense: "sense that"
        }
    }
}
