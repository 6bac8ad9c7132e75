internal import AccessoryModel
internal import AsyncPrimitives
internal import Discovery
internal import HAPCore
internal import NIOCore

extension PairedAccessory {
    /// How long lies between two checks of a session, however often the accessory is announced elsewhere.
    private static let pauseBetweenChecks = Duration.seconds(1)

    /// The number of its database as it is announced at present, `nil` when nothing is.
    var configurationNumber: UInt64? {
        announcements.latest?.configurationNumber ?? sessionConfigurationNumber
    }

    /// Listens to what it announces, while there is a session or somebody watches.
    func listen() {
        guard announcements.listener == nil, let finder, let deviceID = pairing.deviceID else { return }
        announcements.first = OneShot()
        announcements.timer = eventLoop.scheduleTask(in: TimeAmount(configuration.firstAnnouncementTime)) {
            [weak self] in
            self?.assumeIsolated { $0.endWaitingForAnnouncement() }
        }
        announcements.listener = Task { [weak self] in
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
    }

    /// Listens no longer once nobody watches and there is no session.
    func stopListeningWhenUnused() {
        switch link {
        case .idle: if subscribers.isEmpty { stopListening() }
        case .closed: stopListening()
        case .opening, .open: break
        }
    }

    func stopListening() {
        announcements.listener?.cancel()
        endWaitingForAnnouncement()
        announcements = Announcements()
    }

    /// Waits for a moment for the first announcement since it is being listened to, unless the number is known.
    func waitForAnnouncement() async {
        guard configurationNumber == nil, let first = announcements.first else { return }
        await first.wait()
    }

    private func endWaitingForAnnouncement() {
        announcements.first?.set()
        announcements.first = nil
        announcements.timer?.cancel()
        announcements.timer = nil
    }

    private func heard(_ accessory: DiscoveredAccessory) async {
        guard announcements.listener != nil else { return }
        let announcement = Announcements.Announcement(accessory)
        announcements.latest = announcement
        endWaitingForAnnouncement()
        reconnectAtOnce()
        guard case .open(let session) = link else { return }
        let place = session.connection.place
        let isElsewhere =
            !announcement.places.contains { $0.isSamePlace(as: place) }
            && !place.isAt(accessory.host, port: accessory.port)
        if isElsewhere, announcements.passedOver != announcement.places {
            await check(session, against: announcement)
        }
        await follow(announcement, in: session)
    }

    private func heardTheLast() {
        announcements.latest = nil
        endWaitingForAnnouncement()
    }

    /// Asks one small thing in a session of an accessory that announces itself elsewhere; without an answer it ends.
    private func check(_ session: AccessorySession, against announcement: Announcements.Announcement) async {
        let known = database?.accessories.lazy
            .flatMap { accessory in
                accessory.services.lazy.flatMap(\.characteristics)
                    .filter { $0.permissions.contains(.read) }
                    .map { CharacteristicAddress(CharacteristicID(aid: accessory.aid, iid: $0.iid)) }
            }
            .first
        // Whatever it answers, it is there.
        let address = known ?? CharacteristicAddress(aid: 1, iid: 1)
        let request = HTTPRequest(.get, .characteristics, query: CharacteristicReadRequest([address]).query)
        let patience = min(configuration.announcementCheckTime, configuration.requestTime)
        announcements.doubted = session.connection.place
        guard (try? await session.ask(request, within: patience)) != nil else { return }
        announcements.doubted = nil
        announcements.passedOver = announcement.places
        try? await Task.sleep(for: Self.pauseBetweenChecks)
    }

    /// Reads the database again when it has another number now.
    private func follow(_ announcement: Announcements.Announcement, in session: AccessorySession) async {
        guard let number = announcement.configurationNumber, let known = database?.configurationNumber,
            known != number, isPresent(session)
        else { return }
        // Whoever needs it asks again when this fails.
        _ = try? await readDatabase(in: session)
    }
}

extension AccessoryPlace {
    /// Whether it is a machine's by its name, as `lamp.local` is that of `Lamp.local.`.
    fileprivate func isAt(_ name: String, port: UInt16) -> Bool {
        func plain(_ name: String) -> String {
            (name.hasSuffix(".") ? String(name.dropLast()) : name).lowercased()
        }
        return self.port == port && plain(host) == plain(name)
    }
}

/// What an accessory announces while somebody listens.
struct Announcements {
    /// Where it is, and the number of its database.
    struct Announcement: Hashable {
        /// The machine's name, and its addresses.
        var hosts: [String]
        var port: UInt16
        var configurationNumber: UInt64?
        var name: String

        init(_ accessory: DiscoveredAccessory) {
            hosts = accessory.addresses
            port = accessory.port
            configurationNumber = accessory.configurationNumber.map { UInt64($0) }
            name = accessory.name
        }

        var places: [AccessoryPlace] {
            hosts.map {
                AccessoryPlace(host: $0, port: port, configurationNumber: configurationNumber, name: name)
            }
        }
    }

    /// Who listens, `nil` while nobody does.
    var listener: Task<Void, Never>?
    /// What was announced last, `nil` before the first time.
    var latest: Announcement?
    /// Set with the first announcement, or when it is waited for no longer; `nil` from then on.
    var first: OneShot<Void>?
    /// Ends that waiting.
    var timer: Scheduled<Void>?
    /// Where the session leads that is being checked, or was found silent: not where the next one is opened.
    var doubted: AccessoryPlace?
    /// The places that differ from the session's while it answers all the same.
    var passedOver: [AccessoryPlace]?
}
