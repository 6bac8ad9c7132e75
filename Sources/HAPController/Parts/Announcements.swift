internal import AsyncPrimitives
internal import Discovery
internal import HAPCore
internal import NIOCore

/// What an accessory announces while the controller listens, and the places that follow from it.
struct Announcements {
    /// The end of the wait for the first announcement.
    struct FirstAnnouncement: Sendable {
        fileprivate let arrival = OneShot<Void>()
        fileprivate let timer: Scheduled<Void>

        /// Resumes those that wait.
        func end() {
            arrival.set()
            timer.cancel()
        }
    }

    /// What was needed to listen.
    struct Listening: Sendable {
        let task: Task<Void, Never>
        /// `nil` once the first announcement has arrived, or is not waited for any longer.
        fileprivate var first: FirstAnnouncement?

        func cancel() {
            task.cancel()
            first?.end()
        }
    }

    /// `nil` while the controller does not listen.
    private(set) var listening: Listening?
    /// The last announcement; `nil` before the first one, and after the announcing has ended.
    private var latest: DiscoveredAccessory?
    /// The configuration number that was announced at the place of the last session; `nil` when none was.
    private var sessionConfigurationNumber: UInt64?
    /// The place of the last session.
    private var lastPlace: AccessoryPlace?
    /// The place of a session that is being checked, or that did not answer: the next session is not opened there.
    private var doubted: AccessoryPlace?
    /// Announced places that differ from the session's place, although the session still answers.
    private var passedOver: [AccessoryPlace]?

    init(lastPlace: AccessoryPlace?) {
        self.lastPlace = lastPlace
    }

    /// The number of the database as it is announced at present; `nil` when none is.
    var configurationNumber: UInt64? {
        latest?.configurationNumber.map(UInt64.init) ?? sessionConfigurationNumber
    }

    /// Where the accessory announces itself and where it was last, unless that place is doubted.
    var knownPlaces: [AccessoryPlace] {
        let announced = latest?.places ?? []
        guard let lastPlace, !announced.contains(where: { $0.isSamePlace(as: lastPlace) }) else { return announced }
        if !announced.isEmpty, let doubted, doubted.isSamePlace(as: lastPlace) { return announced }
        return announced + [lastPlace]
    }

    /// The first announcement, while it is waited for; `nil` when the configuration number is known.
    var expected: OneShot<Void>? {
        configurationNumber == nil ? listening?.first?.arrival : nil
    }

    // MARK: Listening

    /// Begins to listen.
    ///
    /// - Parameters:
    ///   - task: Takes the announcements.
    ///   - timer: Ends the wait for the first one.
    mutating func begin(_ task: Task<Void, Never>, timer: Scheduled<Void>) {
        listening = Listening(task: task, first: FirstAnnouncement(timer: timer))
    }

    /// Takes an announcement, `nil` when the announcing has ended; returns the wait that ends with it.
    mutating func receive(_ announcement: DiscoveredAccessory?) -> FirstAnnouncement? {
        latest = announcement
        return stopWaiting()
    }

    /// Waits no longer for the first announcement; returns the wait that ends.
    mutating func stopWaiting() -> FirstAnnouncement? {
        defer { listening?.first = nil }
        return listening?.first
    }

    /// Stops to listen, and forgets what was announced; returns what is to be canceled.
    mutating func stop() -> Listening? {
        defer { (listening, latest, doubted, passedOver) = (nil, nil, nil, nil) }
        return listening
    }

    // MARK: Sessions

    /// Takes the place at which the accessory has proven its identity; returns whether it should be stored.
    mutating func found(at place: AccessoryPlace) -> Bool {
        doubted = nil
        if let lastPlace, lastPlace.isSamePlace(as: place) { return false }
        // Without the configuration number: it is valid for this announcement only.
        lastPlace = AccessoryPlace(host: place.host, port: place.port)
        return !place.isLinkLocal
    }

    /// Notes the begin of a session.
    mutating func sessionBegan(at place: AccessoryPlace) {
        sessionConfigurationNumber = place.configurationNumber
    }

    /// Notes the end of the session.
    mutating func sessionEnded() {
        passedOver = nil
    }

    /// Returns whether a session must be checked because the accessory announces itself elsewhere.
    func isCheckNeeded(at place: AccessoryPlace, after announcement: DiscoveredAccessory) -> Bool {
        let isElsewhere =
            !announcement.places.contains { $0.isSamePlace(as: place) }
            && !place.isAt(announcement.host, port: announcement.port)
        return isElsewhere && passedOver != announcement.places
    }

    /// Notes that the session at a place is being checked.
    mutating func beginCheck(at place: AccessoryPlace) {
        doubted = place
    }

    /// Notes that the session has answered although the accessory announces itself elsewhere.
    mutating func passCheck(after announcement: DiscoveredAccessory) {
        doubted = nil
        passedOver = announcement.places
    }
}

extension DiscoveredAccessory {
    /// Where it announces itself.
    var places: [AccessoryPlace] {
        addresses.map {
            AccessoryPlace(host: $0, port: port, configurationNumber: configurationNumber.map(UInt64.init), name: name)
        }
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
