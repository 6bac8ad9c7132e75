internal import AsyncPrimitives
internal import Discovery
internal import HAPCore
internal import NIOCore

/// What an accessory announces while the controller listens, and the places that follow from it.
struct Announcements {
    /// The end of the wait for the first announcement.
    struct FirstAnnouncementWait: Sendable {
        fileprivate let arrival = OneShot<Void>()
        fileprivate let timer: Scheduled<Void>

        /// Resumes those that wait.
        func finish() {
            arrival.set()
            timer.cancel()
        }
    }

    /// What was needed to listen.
    struct AnnouncementListener: Sendable {
        let task: Task<Void, Never>
        /// `nil` once the first announcement has arrived, or is not waited for any longer.
        fileprivate var first: FirstAnnouncementWait?

        func cancel() {
            task.cancel()
            first?.finish()
        }
    }

    /// `nil` while the controller does not listen.
    private(set) var listener: AnnouncementListener?
    /// The last announcement; `nil` before the first one, and after the announcing has ended.
    private var latest: DiscoveredAccessory?
    /// The configuration number that was announced at the place of the last session; `nil` when none was.
    private var sessionConfigurationNumber: UInt64?
    /// The place of the last session.
    private var lastEndpoint: AccessoryEndpoint?
    /// The place of a session that is being checked, or that did not answer: the next session is not opened there.
    private var unverifiedEndpoint: AccessoryEndpoint?
    /// Announced places that differ from the session's place, although the session still answers.
    private var ignoredEndpoints: [AccessoryEndpoint]?

    init(lastEndpoint: AccessoryEndpoint?) {
        self.lastEndpoint = lastEndpoint
    }

    /// The number of the database as it is announced at present; `nil` when none is.
    var configurationNumber: UInt64? {
        latest?.configurationNumber.map(UInt64.init) ?? sessionConfigurationNumber
    }

    /// Where the accessory announces itself and where it was last, unless that place is doubted.
    var knownEndpoints: [AccessoryEndpoint] {
        let announced = latest?.endpoints ?? []
        guard let lastEndpoint, !announced.contains(where: { $0.hasSameAddress(as: lastEndpoint) }) else {
            return announced
        }
        if !announced.isEmpty, let unverifiedEndpoint, unverifiedEndpoint.hasSameAddress(as: lastEndpoint) {
            return announced
        }
        return announced + [lastEndpoint]
    }

    /// The first announcement, while it is waited for; `nil` when the configuration number is known.
    var pendingFirstAnnouncement: OneShot<Void>? {
        configurationNumber == nil ? listener?.first?.arrival : nil
    }

    // MARK: Listening

    /// Begins to listen.
    ///
    /// - Parameters:
    ///   - task: Takes the announcements.
    ///   - timer: Ends the wait for the first one.
    mutating func startListening(_ task: Task<Void, Never>, timer: Scheduled<Void>) {
        listener = AnnouncementListener(task: task, first: FirstAnnouncementWait(timer: timer))
    }

    /// Takes an announcement, `nil` when the announcing has ended; returns the wait that ends with it.
    mutating func receive(_ announcement: DiscoveredAccessory?) -> FirstAnnouncementWait? {
        latest = announcement
        return stopWaiting()
    }

    /// Waits no longer for the first announcement; returns the wait that ends.
    mutating func stopWaiting() -> FirstAnnouncementWait? {
        defer { listener?.first = nil }
        return listener?.first
    }

    /// Stops to listen, and forgets what was announced; returns what is to be canceled.
    mutating func stop() -> AnnouncementListener? {
        defer { (listener, latest, unverifiedEndpoint, ignoredEndpoints) = (nil, nil, nil, nil) }
        return listener
    }

    // MARK: Sessions

    /// Takes the place at which the accessory has proven its identity; returns whether it should be stored.
    mutating func recordEndpoint(_ endpoint: AccessoryEndpoint) -> Bool {
        unverifiedEndpoint = nil
        if let lastEndpoint, lastEndpoint.hasSameAddress(as: endpoint) { return false }
        // Without the configuration number: it is valid for this announcement only.
        lastEndpoint = AccessoryEndpoint(host: endpoint.host, port: endpoint.port)
        return !endpoint.isLinkLocal
    }

    /// Notes the begin of a session.
    mutating func sessionDidStart(at endpoint: AccessoryEndpoint) {
        sessionConfigurationNumber = endpoint.configurationNumber
    }

    /// Notes the end of the session.
    mutating func sessionDidEnd() {
        ignoredEndpoints = nil
    }

    /// Returns whether a session must be checked because the accessory announces itself elsewhere.
    func isCheckNeeded(at endpoint: AccessoryEndpoint, after announcement: DiscoveredAccessory) -> Bool {
        let isElsewhere =
            !announcement.endpoints.contains { $0.hasSameAddress(as: endpoint) }
            && !endpoint.matches(hostName: announcement.host, port: announcement.port)
        return isElsewhere && ignoredEndpoints != announcement.endpoints
    }

    /// Notes that the session at a place is being checked.
    mutating func checkDidStart(at endpoint: AccessoryEndpoint) {
        unverifiedEndpoint = endpoint
    }

    /// Notes that the session has answered although the accessory announces itself elsewhere.
    mutating func checkDidPass(after announcement: DiscoveredAccessory) {
        unverifiedEndpoint = nil
        ignoredEndpoints = announcement.endpoints
    }
}

extension DiscoveredAccessory {
    /// Where it announces itself.
    var endpoints: [AccessoryEndpoint] {
        addresses.map {
            AccessoryEndpoint(
                host: $0,
                port: port,
                configurationNumber: configurationNumber.map(UInt64.init),
                name: name
            )
        }
    }
}

extension AccessoryEndpoint {
    /// Whether it is a machine's by its name, as `lamp.local` is that of `Lamp.local.`.
    fileprivate func matches(hostName name: String, port: UInt16) -> Bool {
        func plain(_ name: String) -> String {
            (name.hasSuffix(".") ? String(name.dropLast()) : name).lowercased()
        }
        return self.port == port && plain(host) == plain(name)
    }
}
