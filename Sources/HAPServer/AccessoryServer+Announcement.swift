internal import AccessoryModel
internal import Discovery
internal import HAPCore
internal import NIOCore

extension AccessoryServer {
    /// What the TXT record says now.
    ///
    /// HAP: §2
    var announcement: AccessoryAnnouncement {
        AccessoryAnnouncement(
            name: InstanceName(configuration.name),
            port: information.port,
            deviceID: records.identity.identity.deviceID,
            model: presence.model,
            configurationNumber: records.configuration.number,
            category: configuration.category,
            setupHash: SetupHash(setupID: records.identity.setupID, deviceID: records.identity.identity.deviceID).text,
            isPaired: records.pairings.isPaired
        )
    }

    /// Begins to advertise, or brings the TXT record up to date.
    func announce() {
        guard let interference = ports.interference else {
            announceAtOnce()
            return
        }
        guard announces(presence.conditions) else {
            ports.advertiser.withdraw()
            return
        }
        switch interfere(at: .announcement, by: interference) {
        case .delay(let delay): schedule(after: delay) { $0.announceAtOnce() }
        case .drop, .reset: break
        case .pass, .duplicate, .replace, .transmit, .hang, .fail, .insist: announceAtOnce()
        }
    }

    private func announceAtOnce() {
        guard lifecycle.isServing else { return }
        let alteration = presence.conditions.alteration
        let record = announcement.record(
            configurationNumber: alteration.configurationNumber,
            statusFlags: alteration.statusFlags,
            port: alteration.port
        )
        if presence.isAnnounced {
            ports.advertiser.update(record)
            return
        }
        presence.isAnnounced = true
        ports.advertiser.start(record) { [observer, eventLoop] state in
            guard let observer else { return }
            // Called on the advertiser's own thread.
            eventLoop.execute { observer.observe(.advertiserChanged(state)) }
        }
    }
}
