internal import AccessoryModel
internal import AirPlay
internal import Discovery
internal import Fetching
internal import HAPCore
internal import HAPServer
internal import Hosting
internal import Simulation
internal import Synchronization

/// What the connections of a receiver share.
final class ReceiverContext: Sendable {
    let parameters: AirPlayParameters
    let port: DriverPort
    let credentials: AirPlayCredentials
    let fetcher: VideoFetcher
    /// Finds senders of AirPlay 1 that can be controlled.
    let browser = AccessoryBrowser(type: "_dacp._tcp")
    let recordingBudget = RecordingBudget()
    private let change: AsyncStream<Void>.Continuation
    private let latestSummary = Mutex<AirPlaySummary?>(nil)
    private let lastPIN = Mutex<MonotonicInstant?>(nil)

    /// - Parameter change: Makes the driver announce the receiver again.
    init(
        _ parameters: AirPlayParameters,
        _ port: DriverPort,
        _ credentials: AirPlayCredentials,
        _ fetcher: VideoFetcher,
        _ change: AsyncStream<Void>.Continuation
    ) {
        (self.parameters, self.port, self.credentials, self.fetcher) = (parameters, port, credentials, fetcher)
        self.change = change
    }

    /// Whether the PIN is shown now: at most once a second, so that a flood of requests does not hide other events.
    var mayShowPIN: Bool {
        lastPIN.withLock { last in
            let now = MonotonicInstant.now
            guard last.map({ $0.duration(to: now) >= .seconds(1) }) ?? true else { return false }
            last = now
            return true
        }
    }

    /// Announces the receiver again, because its name or its access has changed.
    func announceAgain() { change.yield() }

    /// What the device does; `nil` before it has said so.
    var summary: AirPlaySummary? {
        get { latestSummary.withLock(\.self) }
        set { latestSummary.withLock { $0 = newValue } }
    }

    var hasVideo: Bool {
        parameters.hasVideo ?? port.accessory.services.contains { $0.key.type == .television }
    }

    /// What the receiver says about itself now.
    ///
    /// - Parameter isInUse: Whether a fault makes it look as if a sender played.
    func information(isInUse: Bool = false) async -> ReceiverInformation {
        var information = ReceiverInformation()
        information.name = await credentials.settings.name ?? parameters.name ?? port.accessory.name
        information.model = parameters.model ?? port.accessory.text(.model) ?? information.model
        information.manufacturer = port.accessory.text(.manufacturer) ?? information.manufacturer
        information.firmware = port.accessory.text(.firmwareRevision) ?? information.firmware
        information.serialNumber = port.accessory.text(.serialNumber) ?? ""
        information.deviceID = credentials.identity.deviceID.text
        information.pairingID = credentials.pairingID
        information.publicKey = credentials.identity.publicKey.bytes
        information.hasVideo = hasVideo
        information.access = await credentials.access
        information.isActive = isInUse || summary?.isActive ?? false
        return information
    }
}
