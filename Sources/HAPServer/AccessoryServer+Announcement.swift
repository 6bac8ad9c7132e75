internal import Discovery
internal import HAPCore

extension AccessoryServer {
    /// What the TXT record says now.
    ///
    /// HAP: §2
    var announcement: AccessoryAnnouncement {
        AccessoryAnnouncement(
            name: configuration.name,
            port: information.port,
            deviceID: identity.identity.deviceID,
            model: model,
            category: configuration.category,
            configurationNumber: serverConfiguration.number,
            isPaired: pairings.isPaired,
            setupHash: SetupHash(setupID: identity.setupID, deviceID: identity.identity.deviceID)
        )
    }

    /// Brings the TXT record up to date.
    func announce() {
        guard let interference else {
            advertiser.update(announcement)
            return
        }
        switch interfere(at: .announcement, by: interference) {
        case .pass, .duplicate, .replace: advertiser.update(announcement)
        case .delay(let delay): schedule(after: delay) { $0.advertiser.update($0.announcement) }
        case .drop, .reset: break
        }
    }
}
