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

    /// Begins to advertise, or brings the TXT record up to date.
    func announce() {
        guard let interference else {
            announceAtOnce()
            return
        }
        guard announces(conditions) else {
            advertiser.withdraw()
            return
        }
        switch interfere(at: .announcement, by: interference) {
        case .delay(let delay): schedule(after: delay) { $0.announceAtOnce() }
        case .drop, .reset: break
        case .pass, .duplicate, .replace, .transmit, .hang, .fail, .insist: announceAtOnce()
        }
    }

    private func announceAtOnce() {
        guard case .serving = lifecycle else { return }
        let alteration = conditions.alteration
        let record = announcement.record(
            configurationNumber: alteration.configurationNumber,
            statusFlags: alteration.statusFlags,
            port: alteration.port
        )
        if isAnnounced {
            advertiser.update(record)
            return
        }
        isAnnounced = true
        let observer = self.observer
        advertiser.start(record) { state in
            observer?.observe(.advertiserChanged(state))
        }
    }
}
