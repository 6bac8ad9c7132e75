import HAPServer
import Hosting
import Synchronization

/// Keeps the messages of drivers while they are wanted.
final class TracedMessages: HostObserver, HostedServerObserver, DriverTrafficObserver {
    private let kept = Mutex<[DriverMessage]>([])
    let isWanted = TrafficSwitch(false)

    var messages: [DriverMessage] { kept.withLock(\.self) }

    func observer(of server: HostedServer.Identity) -> (any HostedServerObserver)? { self }

    var events: (any ServerObserver)? { nil }
    var driverTraffic: (any DriverTrafficObserver)? { self }

    func observe(_ message: DriverMessage, of accessory: String, size: Int) { kept.withLock { $0.append(message) } }
}
