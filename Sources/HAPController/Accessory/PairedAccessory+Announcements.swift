internal import AccessoryModel
internal import Discovery
internal import HAPCore
internal import NIOCore

extension PairedAccessory {
    /// The minimum pause between two checks of a session, however often the accessory announces itself elsewhere.
    private static let pauseBetweenChecks = Duration.seconds(1)

    /// Listens to what the accessory announces, while there is a session or a subscriber.
    func listen() {
        guard announcements.listening == nil, let finder = opener.finder, let deviceID = pairing.deviceID
        else { return }
        let timer = eventLoop.scheduleTask(in: TimeAmount(configuration.firstAnnouncementTime)) {
            [weak self] () -> Void in
            self?.assumeIsolated { $0.announcements.stopWaiting()?.end() }
        }
        let task = Task { [weak self] in
            for await accessory in finder.announcements(of: deviceID) {
                guard let self else { return }
                if let accessory {
                    await heard(accessory)
                } else {
                    await heardTheLast()
                }
            }
            if !Task.isCancelled {
                await self?.heardTheLast()
            }
        }
        announcements.begin(task, timer: timer)
    }

    /// Listens no longer once there is neither a session nor a subscriber.
    func stopListeningWhenUnused() {
        switch link.state {
        case .idle: if subscribers.isEmpty { announcements.stop()?.cancel() }
        case .closed: announcements.stop()?.cancel()
        case .opening, .open: break
        }
    }

    private func heard(_ announcement: DiscoveredAccessory) async {
        guard announcements.listening != nil else { return }
        announcements.receive(announcement)?.end()
        perform(restorer.machine.announced(at: eventLoop.monotonicNow))
        guard let session = link.session else { return }
        if announcements.isCheckNeeded(at: session.connection.place, after: announcement) {
            await check(session, after: announcement)
        }
        // Another configuration number means another database. When reading it fails, its next user reads it.
        if database.isOutdated(by: announcement.configurationNumber.map(UInt64.init)), link.isPresent(session) {
            _ = try? await readDatabase(in: session)
        }
    }

    private func heardTheLast() {
        announcements.receive(nil)?.end()
    }

    /// Reads one value in a session of an accessory that announces itself elsewhere; without an answer the session ends.
    private func check(_ session: AccessorySession, after announcement: DiscoveredAccessory) async {
        // Any answer shows that the accessory is there.
        let address = database.firstReadable.map(CharacteristicAddress.init) ?? CharacteristicAddress(aid: 1, iid: 1)
        let request = HTTPRequest(.get, .characteristics, query: CharacteristicReadRequest([address]).query)
        let patience = min(configuration.announcementCheckTime, configuration.requestTime)
        announcements.beginCheck(at: session.connection.place)
        guard (try? await session.ask(request, within: patience)) != nil else { return }
        announcements.passCheck(after: announcement)
        try? await Task.sleep(for: Self.pauseBetweenChecks)
    }
}
