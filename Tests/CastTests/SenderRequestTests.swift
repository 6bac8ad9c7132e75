import HAPCore
import Testing

@testable import Cast

/// The requests that a sender writes are those that a receiver reads.
struct SenderRequestTests {
    private static let item: JSONObject = ["media": .object(["contentId": "a"])]

    private static let load: MediaRequest = {
        var request = MediaRequest.LoadRequest(items: [item])
        (request.autoplay, request.position, request.rate, request.activeTrackIDs) = (false, 5, 1.5, [1, 2])
        return .load(request)
    }()

    private static let queue: MediaRequest = {
        var request = MediaRequest.LoadRequest(items: [item, item])
        (request.start, request.repeatMode) = (1, .all)
        return .load(request)
    }()

    private static let requests: [MediaRequest] = [
        load, queue, .getStatus, .play, .pause, .stop, .seek(position: 3, isRelative: false, plays: true),
        .seek(position: -3, isRelative: true, plays: nil), .setRate(2, isFactor: false), .setRate(0.5, isFactor: true),
        .setVolume(["level": 0.5]), .editTracks([1]), .editTracks(nil), .skipAd,
        .insert([item], before: 3, current: nil), .insert([item], before: nil, current: .id(2)),
        .insert([item], before: nil, current: .inserted(0)), .jump(by: -1),
        .update(
            MediaRequest.QueueUpdate(
                items: [["itemId": 1]],
                currentID: 2,
                position: 4,
                repeatMode: .single,
                shuffle: true
            )
        ),
        .remove([1, 2]), .reorder([2, 1], before: 3), .reorder([2], before: nil), .getItemIDs, .getItems([1]),
        .getRange(around: 3, before: 1, after: 0), .getRange(around: nil, before: 0, after: 2),
    ]

    @Test(arguments: requests.indices)
    func aWrittenMediaRequestIsReadAgain(index: Int) {
        #expect(MediaRequest(Self.requests[index].object) == Self.requests[index])
    }

    @Test(arguments: [
        ReceiverRequest.getStatus, .launch(appID: "A"), .stop(sessionID: "s"), .stop(sessionID: nil),
        .setVolume(["muted": true]), .getAvailability(["A", "B"]),
    ])
    func aWrittenReceiverRequestIsReadAgain(request: ReceiverRequest) {
        #expect(ReceiverRequest(request.object) == request)
    }

    @Test
    func anInvalidRequestStaysInvalid() {
        #expect(MediaRequest(MediaRequest.invalid("x").object) == .invalid("INVALID_COMMAND"))
        #expect(ReceiverRequest(ReceiverRequest.invalid("x").object) == .invalid("INVALID_COMMAND"))
    }

    @Test
    func aSilentReceiverIsNoticedAndALivingOneIsAsked() throws {
        var link = SenderLink(at: .zero)
        _ = link.takeMessages()
        func now(_ seconds: Int) -> MonotonicInstant { .zero.advanced(by: .seconds(seconds)) }
        // The time, whether the receiver lives, and the number of messages that are sent.
        func advance(to seconds: Int) -> (lives: Bool, sent: Int) {
            let lives = link.advance(to: now(seconds))
            return (lives, link.takeMessages().count)
        }
        let (early, due) = (advance(to: 4), advance(to: 5))
        #expect(early == (true, 0) && due == (true, 1))
        let pong = CastMessage(
            from: CastID.receiver,
            to: SenderLink.id,
            CastNamespace.heartbeat,
            .text(#"{"type":"PONG"}"#)
        )
        let events = try link.receive(pong.frame ?? [], at: now(6))
        let (last, silent) = (advance(to: 20), advance(to: 21))
        #expect(events.isEmpty && last.lives && !silent.lives)
    }

    @Test
    func theAnswerToAChallengeIsParsed() throws {
        let challenge = try AuthenticationChallenge(parsing: DeviceProof.challenge(nonce: [1, 2]))
        #expect(challenge.nonce == [1, 2] && challenge.hash == .sha256 && challenge.isSupported)
        let answer = AuthenticationAnswer.proof([7], certificate: [8], intermediates: [[9]], to: challenge)
        let proof = try #require(try DeviceProof(parsing: answer))
        #expect(proof.signature == [7] && proof.certificate == [8])
        #expect(try DeviceProof(parsing: AuthenticationAnswer.refusal(0)) == nil)
        #expect(throws: CastError.self) { try DeviceProof(parsing: [0x12, 5, 1]) }
    }
}
