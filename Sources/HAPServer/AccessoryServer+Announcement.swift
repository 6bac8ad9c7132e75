internal import AccessoryModel
internal import Discovery
internal import HAPCore

extension AccessoryServer {
    /// What the TXT record says now.
    ///
    /// HAP: §2
    var announcement: AccessoryAnnouncement {
        AccessoryAnnouncement(
            name: InstanceName(configuration.name),
            port: information.port,
            deviceID: identity.identity.deviceID,
            model: model,
            configurationNumber: serverConfiguration.number,
            category: configuration.category,
            setupHash: SetupHash(setupID: identity.setupID, deviceID: identity.identity.deviceID).text,
            isPaired: pairings.isPaired
        )
    }

    /// Brings the TXT record up to date.
    func announce() {
        guard let interference else {
            advertiser.update(announcement.record)
            return
        }
        switch interfere(at: .announcement, by: interference) {
        case .pass, .duplicate, .replace: advertiser.update(announcement.record)
        case .delay(let delay): schedule(after: delay) { $0.advertiser.update($0.announcement.record) }
        case .drop, .reset: break
        }
    }
}
