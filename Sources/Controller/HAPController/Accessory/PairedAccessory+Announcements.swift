internal import AccessoryModel
internal import Discovery
internal import HAPCore
internal import NIOCore

extension PairedAccessory {
    /// The minimum pause between two checks of a session, however often the accessory announces another address.
    private static let minimumCheckInterval = Duration.seconds(1)

    /// Starts to listen to the announcements of the accessory, until there is neither a session nor a subscriber.
    func startListening() {
        guard announcements.listener == nil, let finder = opener.resolver, let deviceID = pairing.deviceID
        else { return }
        let timer = eventLoop.scheduleTask(in: TimeAmount(configuration.firstAnnouncementTime)) {
            [weak self] () -> Void in
            self?.assumeIsolated { $0.announcements.stopWaiting()?.finish() }
        }
        let task = Task { [weak self] in
            for await accessory in finder.announcements(of: deviceID) {
                guard let self else { return }
                if let accessory {
                    await handleAnnouncement(accessory)
                } else {
                    await handleEndOfAnnouncements()
                }
            }
            if !Task.isCancelled {
                await self?.handleEndOfAnnouncements()
            }
        }
        announcements.startListening(task, timer: timer)
    }

    /// Stops listening if there is neither a session nor a subscriber.
    func stopListeningWhenUnused() {
        switch link.state {
        case .idle: if subscribers.isEmpty { announcements.stop()?.cancel() }
        case .closed: announcements.stop()?.cancel()
        case .opening, .open: break
        }
    }

    private func handleAnnouncement(_ announcement: DiscoveredAccessory) async {
        guard announcements.listener != nil else { return }
        announcements.receive(announcement)?.finish()
        perform(reconnector.machine.didReceiveAnnouncement(at: eventLoop.monotonicNow))
        guard let session = link.session else { return }
        if announcements.isCheckNeeded(at: session.connection.endpoint, after: announcement) {
            await check(session, after: announcement)
        }
        // Another configuration number means that the database has changed. If this read fails, the next caller that
        // needs the database reads it.
        if database.isOutdated(by: announcement.configurationNumber.map(UInt64.init)), link.isCurrent(session) {
            _ = try? await readDatabase(in: session)
        }
    }

    private func handleEndOfAnnouncements() {
        announcements.receive(nil)?.finish()
    }

    /// Checks a session whose accessory announces another address: reads one value, and without a response the session
    /// ends.
    private func check(_ session: AccessorySession, after announcement: DiscoveredAccessory) async {
        // Any response shows that the accessory is still reachable in this session, even an error.
        let address = database.firstReadable.map(CharacteristicAddress.init) ?? CharacteristicAddress(aid: 1, iid: 1)
        let request = HTTPRequest(.get, .characteristics, query: CharacteristicReadRequest([address]).query)
        let timeout = min(configuration.announcementCheckTime, configuration.requestTime)
        announcements.checkDidStart(at: session.connection.endpoint)
        guard (try? await session.send(request, within: timeout)) != nil else { return }
        announcements.checkDidPass(after: announcement)
        try? await Task.sleep(for: Self.minimumCheckInterval)
    }
}
