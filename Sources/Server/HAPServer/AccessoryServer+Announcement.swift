internal import AccessoryModel
internal import Discovery
internal import HAPCore
internal import NIOCore

extension AccessoryServer {
    /// The current content of the TXT record.
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

    /// Starts to advertise, or updates the TXT record.
    func announce() {
        guard isAnnounced(under: presence.conditions) else {
            ports.advertiser.withdraw()
            return
        }
        switch injectFault(at: .announcement) {
        case .delay(let delay): schedule(after: delay) { $0.publishAnnouncement() }
        case .drop, .reset: break
        case .proceed, .duplicate, .replace, .transmit, .hang, .fail, .notifyAnyway: publishAnnouncement()
        }
    }

    private func publishAnnouncement() {
        guard lifecycle.isServing, lifecycle.isAccepting else { return }
        let alteration = presence.conditions.overrides
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
