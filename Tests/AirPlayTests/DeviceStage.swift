import AirPlay
import HAPCore

/// A device with senders, on a clock that a test moves.
final class DeviceStage {
    var device: AirPlayDevice
    var now = MonotonicInstant.zero
    /// What was sent to each connection, the oldest first.
    private(set) var sent: [UInt64: [ReceiverMessage]] = [:]
    /// The number of the last question.
    private var lastQuestion: UInt64 = 0

    init(_ change: (inout AirPlayDevice.Configuration) -> Void = { _ in }) {
        var configuration = AirPlayDevice.Configuration()
        change(&configuration)
        device = AirPlayDevice(configuration)
    }

    /// The sender of a connection.
    static func sender(_ peer: UInt64 = 1, version: Int = 2) -> SenderDescription {
        SenderDescription(name: "Phone \(peer)", version: version)
    }

    func send(_ message: SenderMessage, from peer: UInt64 = 1, question: UInt64 = 0) {
        device.receive(message, from: peer, question: question, at: now)
        collect()
    }

    /// Begins a session, and returns the answer.
    @discardableResult
    func begin(_ peer: UInt64 = 1) -> ReceiverAnswer? { ask(.begin(Self.sender(peer)), from: peer) }

    /// Begins a session with audio that is played.
    func play(_ peer: UInt64 = 1) {
        begin(peer)
        send(.play, from: peer)
    }

    /// Asks for something about a video, and returns the answer.
    @discardableResult
    func video(_ request: VideoRequest, from peer: UInt64 = 1) -> ReceiverAnswer? {
        ask(.video(request, Self.sender(peer)), from: peer)
    }

    /// The state of the video as the sender sees it.
    func info(_ peer: UInt64 = 1) -> PlaybackInformation? {
        if case .playback(let information) = video(.info, from: peer) { information } else { nil }
    }

    /// Returns the answer to a question, if there is exactly one.
    private func ask(_ message: SenderMessage, from peer: UInt64) -> ReceiverAnswer? {
        lastQuestion += 1
        send(message, from: peer, question: lastQuestion)
        let answers = (sent[peer] ?? [])
            .compactMap { if case .answer(let answer, lastQuestion) = $0 { answer } else { nil } }
        return answers.count == 1 ? answers.first : nil
    }

    func perform(_ command: RemoteCommand) -> Bool {
        defer { collect() }
        return device.perform(command, at: now)
    }

    /// Jumps as a user does; returns whether there is a video.
    func seek(to position: Double) -> Bool {
        defer { collect() }
        return device.seek(to: position, at: now)
    }

    func advance(_ seconds: Double) {
        now = now.advanced(by: .seconds(seconds))
        device.advance(to: now)
        collect()
    }

    func collect() {
        for (peer, message) in device.takeMessages() { sent[peer, default: []].append(message) }
    }

    /// The commands that were sent to a connection, the oldest first.
    func commands(_ peer: UInt64 = 1) -> [RemoteCommand] {
        (sent[peer] ?? []).compactMap { if case .command(let command) = $0 { command } else { nil } }
    }

    /// The reasons for the ends that were sent to a connection.
    func ends(_ peer: UInt64 = 1) -> [String] {
        (sent[peer] ?? []).compactMap { if case .end(let reason) = $0 { reason } else { nil } }
    }

    /// The addresses that a connection was asked to look up.
    func loads(_ peer: UInt64 = 1) -> [String] {
        (sent[peer] ?? []).compactMap { if case .load(let url) = $0 { url } else { nil } }
    }

    /// The names of the events since the last call.
    func takeEvents() -> [String] { device.takeEvents().map(\.name) }
}
