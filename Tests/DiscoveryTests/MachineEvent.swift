import Discovery
import HAPCore

/// An event of an advertiser, as a value for test tables.
enum MachineEvent: Sendable, Hashable {
    case start
    case update(ServiceRecord)
    case withdraw
    case confirmed(String)
    case failedAtOnce(DiscoveryError)
    case failed(DiscoveryError)
    case withdrawn
    case found
    case missed(DiscoveryError)
    case daemonResponded
    /// Sets the clock to this number of seconds.
    case advanceClock(Int)
    case stop
}

/// An advertiser machine with a clock that moves only on command.
struct ClockedMachine: ~Copyable {
    private var machine = AdvertiserMachine()
    private var now = MonotonicInstant.zero
    private let record: ServiceRecord

    init(record: ServiceRecord, after events: [MachineEvent] = []) {
        self.record = record
        for event in events {
            _ = handle(event)
        }
    }

    var state: AdvertiserState {
        machine.visibleState
    }

    var published: PublishedService? {
        machine.published
    }

    var awaitsObservation: Bool {
        machine.isAwaitingObservation
    }

    /// The number of seconds from now until the machine's next deadline.
    var pause: Int64? {
        machine.nextDeadline.map { now.duration(to: $0).components.seconds }
    }

    mutating func handle(_ event: MachineEvent) -> AdvertiserMachine.Action {
        switch event {
        case .start:
            return machine.start(record, at: now)
        case .update(let record):
            return machine.update(record)
        case .withdraw:
            return machine.withdraw()
        case .confirmed(let name):
            return machine.confirmed(name: name)
        case .failedAtOnce(let error):
            return machine.registrationFailed(error, at: now)
        case .failed(let error):
            return machine.registrationLost(error)
        case .withdrawn:
            return machine.withdrawn(at: now)
        case .found:
            return machine.serviceFound()
        case .missed(let error):
            return machine.serviceMissing(error, at: now)
        case .daemonResponded:
            return machine.daemonAvailable(at: now)
        case .advanceClock(let seconds):
            now = .zero.advanced(by: .seconds(seconds))
            return machine.advance(to: now)
        case .stop:
            return machine.stop()
        }
    }
}
