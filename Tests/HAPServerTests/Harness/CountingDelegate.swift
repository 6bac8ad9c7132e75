import HAPCore
import NIOCore
import Synchronization

@testable import HAPServer

/// Answers every request at once, and counts.
final class CountingDelegate: AccessoryChannelDelegate {
    struct Counts: Equatable {
        var requests = 0
        var yields = 0
    }

    private let counted = Mutex(Counts())
    private let response: HTTPResponse

    init(response: HTTPResponse) {
        self.response = response
    }

    var counts: Counts {
        counted.withLock { $0 }
    }

    func didOpen(_ channel: AccessoryChannelHandler, peer: SocketAddress?) {}

    func didReceive(_ request: HTTPRequest, on channel: AccessoryChannelHandler) {
        counted.withLock { $0.requests += 1 }
        channel.respond(response)
    }

    func didYield(_ channel: AccessoryChannelHandler) {
        counted.withLock { $0.yields += 1 }
    }

    func didBecomeReady(_ channel: AccessoryChannelHandler) {}

    func didClose(_ channel: AccessoryChannelHandler, _ reason: CloseReason) {}
}
