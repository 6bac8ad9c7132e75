import Glibc
import NIOCore
import Testing

@testable import HAPServer

/// The reasons of network failures in messages.
struct NetworkReasonTests {
    @Test func errorOfTheSystemHasItsTextAlone() {
        let error = IOError(errnoCode: ECONNRESET, reason: "read(descriptor:pointer:size:)")
        #expect(error.networkReason == "Connection reset by peer")
        #expect(ChannelError.ioOnClosedChannel.networkReason == String(describing: ChannelError.ioOnClosedChannel))
    }
}
