internal import AsyncPrimitives
internal import Discovery
internal import HAPCore
internal import NIOCore

/// The announcements of an accessory while the controller listens, and the endpoints to try.
struct Announcements {
    /// The wait for the first announcement.
    struct FirstAnnouncementWait: Sendable {
        fileprivate let arrival = OneShot<Void>()
        fileprivate let timer: Scheduled<Void>

        /// Resumes the callers that wait.
        func finish() {
            arrival.set()
            timer.cancel()
        }
    }

    /// The task that listens, and the wait for its first announcement.
    struct AnnouncementListener: Sendable {
        let task: Task<Void, Never>
        /// `nil` after the first announcement has arrived or the wait has timed out.
        fileprivate var first: FirstAnnouncementWait?

        func cancel() {
            task.cancel()
            first?.finish()
        }
    }

    /// The current listener; `nil` while the controller does not listen.
    private(set) var listener: AnnouncementListener?
    /// The last announcement; `nil` before the first one, and while announcements cannot be received.
    private var latest: DiscoveredAccessory?
    /// The configuration number that was announced at the endpoint of the last session; `nil` if there was none.
    private var sessionConfigurationNumber: UInt64?
    /// The endpoint of the last session.
    private var lastEndpoint: AccessoryEndpoint?
    /// The endpoint of a session that is being checked, or that did not pass its check.
    ///
    /// The next session is not opened there.
    private var unverifiedEndpoint: AccessoryEndpoint?
    /// Announced endpoints that are ignored: they differ from the session's endpoint, but the session has passed its
    /// check.
    private var ignoredEndpoints: [AccessoryEndpoint]?

    init(lastEndpoint: AccessoryEndpoint?) {
        self.lastEndpoint = lastEndpoint
    }

    /// The announced configuration number; `nil` if there is none.
    var configurationNumber: UInt64? {
        latest?.configurationNumber.map(UInt64.init) ?? sessionConfigurationNumber
    }

    /// The announced endpoints, and the last one unless it is unverified.
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

    /// The signal for the first announcement; `nil` if no caller has to wait for it.
    var pendingFirstAnnouncement: OneShot<Void>? {
        configurationNumber == nil ? listener?.first?.arrival : nil
    }

    // MARK: Listening

    /// Starts to listen.
    ///
    /// - Parameters:
    ///   - task: Receives the announcements.
    ///   - timer: Ends the wait for the first one.
    mutating func startListening(_ task: Task<Void, Never>, timer: Scheduled<Void>) {
        listener = AnnouncementListener(task: task, first: FirstAnnouncementWait(timer: timer))
    }

    /// Handles an announcement, or `nil` if announcements cannot be received; returns the wait that ends with it.
    mutating func receive(_ announcement: DiscoveredAccessory?) -> FirstAnnouncementWait? {
        latest = announcement
        return stopWaiting()
    }

    /// Ends the wait for the first announcement; returns the wait, which the caller finishes.
    mutating func stopWaiting() -> FirstAnnouncementWait? {
        defer { listener?.first = nil }
        return listener?.first
    }

    /// Stops listening, and discards the announcements; returns the task and the timer to cancel.
    mutating func stop() -> AnnouncementListener? {
        defer { (listener, latest, unverifiedEndpoint, ignoredEndpoints) = (nil, nil, nil, nil) }
        return listener
    }

    // MARK: Sessions

    /// Stores the endpoint at which the accessory has proven its identity; returns whether to save it.
    mutating func recordEndpoint(_ endpoint: AccessoryEndpoint) -> Bool {
        unverifiedEndpoint = nil
        if let lastEndpoint, lastEndpoint.hasSameAddress(as: endpoint) { return false }
        // The configuration number is omitted, because it is valid only for this announcement.
        lastEndpoint = AccessoryEndpoint(host: endpoint.host, port: endpoint.port)
        return !endpoint.isLinkLocal
    }

    /// Records the start of a session.
    mutating func sessionDidStart(at endpoint: AccessoryEndpoint) {
        sessionConfigurationNumber = endpoint.configurationNumber
    }

    /// Records the end of the session.
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

    /// Records that the session at an endpoint is being checked.
    mutating func checkDidStart(at endpoint: AccessoryEndpoint) {
        unverifiedEndpoint = endpoint
    }

    /// Records that the session has answered although the accessory announces another endpoint.
    mutating func checkDidPass(after announcement: DiscoveredAccessory) {
        unverifiedEndpoint = nil
        ignoredEndpoints = announcement.endpoints
    }
}

extension DiscoveredAccessory {
    /// The announced endpoints.
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
    /// Returns whether the endpoint's host is this host name, ignoring case and a final dot: `lamp.local` matches
    /// `Lamp.local.`.
    fileprivate func matches(hostName name: String, port: UInt16) -> Bool {
        func plain(_ name: String) -> String {
            (name.hasSuffix(".") ? String(name.dropLast()) : name).lowercased()
        }
        return self.port == port && plain(host) == plain(name)
    }
}
