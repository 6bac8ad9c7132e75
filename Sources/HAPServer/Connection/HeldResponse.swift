internal import HAPCore
internal import HAPTransport
internal import NIOCore

/// A response that an injected fault delays.
///
/// Belongs to the server's actor and never leaves it.
struct HeldResponse {
    let response: HTTPResponse
    let sequel: ResponseSequel
    let timer: Scheduled<Void>
}
