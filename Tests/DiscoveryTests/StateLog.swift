import Discovery
import Synchronization

/// The states that an advertiser reported, in order.
final class StateLog: Sendable {
    private let log = Mutex<[AdvertiserState]>([])

    var states: [AdvertiserState] {
        log.withLock { $0 }
    }

    /// The states without retry delays and without repetitions.
    var statesWithoutRetryDelays: [AdvertiserState] {
        states.reduce(into: []) { result, state in
            let plain =
                if case .unavailable(let error, _) = state { AdvertiserState.unavailable(error, retryIn: .zero) } else {
                    state
                }
            if plain != result.last {
                result.append(plain)
            }
        }
    }

    func append(_ state: AdvertiserState) {
        log.withLock { $0.append(state) }
    }
}

extension AdvertiserState {
    /// Returns the state of a service that is advertised under the requested name.
    static func advertised(_ name: String) -> AdvertiserState {
        .advertised(name: name, requested: name)
    }

    var isAdvertised: Bool {
        if case .advertised = self { true } else { false }
    }

    func isUnavailable(_ reason: DiscoveryError) -> Bool {
        if case .unavailable(let error, _) = self { error == reason } else { false }
    }
}
