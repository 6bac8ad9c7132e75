import Glibc
import HAPTransport
import NIOCore
import Testing

/// The reasons of network failures in messages.
struct NetworkReasonTests {
    @Test func errorOfTheSystemHasItsTextAlone() {
        let error = IOError(errnoCode: ECONNRESET, reason: "read(descriptor:pointer:size:)")
        #expect(error.networkReason == "Connection reset by peer")
        #expect(ChannelError.ioOnClosedChannel.networkReason == String(describing: ChannelError.ioOnClosedChannel))
    }
}
