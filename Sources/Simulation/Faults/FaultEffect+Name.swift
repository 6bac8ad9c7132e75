extension FaultEffect {
    /// The name of its entry in the catalogue, such as `latency`.
    package var name: String {
        switch self {
        case .latency: "latency"
        case .status: "status"
        case .silence: "silence"
        case .halfResponse: "halfResponse"
        case .resetInResponse: "resetInResponse"
        case .corruptFrame: "corruptFrame"
        case .slowPairSetup: "slowPairSetup"
        case .unreachable: "unreachable"
        case .dropEvents: "dropEvents"
        case .delayEvents: "delayEvents"
        case .duplicateEvents: "duplicateEvents"
        case .echoEvents: "echoEvents"
        case .eventsAfterUnsubscribe: "eventsAfterUnsubscribe"
        case .refuseConnections: "refuseConnections"
        case .closeConnections: "closeConnections"
        case .connectionLimit: "connectionLimit"
        case .networkLoss: "networkLoss"
        case .reboot: "reboot"
        case .forgetPairings: "forgetPairings"
        case .configurationNumber: "configurationNumber"
        case .statusFlag: "statusFlag"
        case .wrongPort: "wrongPort"
        case .vanish: "vanish"
        case .quirk(.chunkedBodies): "chunkedBodies"
        case .quirk(.blanksInJSON): "blanksInJSON"
        case .quirk(.oddHeaderCase): "oddHeaderCase"
        case .quirk(.splitSegments): "splitSegments"
        case .quirk(.reversedEvents): "reversedEvents"
        case .quirk(.coalescing): "coalescing"
        case .quirk(.echoedEvents): "echoedEvents"
        case .quirk(.booleansAsWords): "booleansAsWords"
        }
    }
}
