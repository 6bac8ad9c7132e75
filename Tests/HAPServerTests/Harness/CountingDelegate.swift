import HAPCore
import HAPTransport
import NIOCore
import Synchronization

/// Answers every request at once, and counts.
final class CountingDelegate: AccessoryChannelDelegate {
    struct Counts: Equatable {
        var requests = 0
        var yields = 0
    }

    private let counted = Mutex(Counts())
    private let answer: HTTPResponse

    init(answer: HTTPResponse) {
        self.answer = answer
    }

    var counts: Counts {
        counted.withLock { $0 }
    }

    func opened(_ channel: AccessoryChannelHandler, peer: SocketAddress?) {}

    func received(_ request: HTTPRequest, on channel: AccessoryChannelHandler) {
        counted.withLock { $0.requests += 1 }
        channel.respond(answer)
    }

    func yielded(_ channel: AccessoryChannelHandler) {
        counted.withLock { $0.yields += 1 }
    }

    func free(_ channel: AccessoryChannelHandler) {}

    func closed(_ channel: AccessoryChannelHandler, _ reason: ChannelCloseReason) {}
}
