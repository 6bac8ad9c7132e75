internal import HAPCore
internal import PropertyLists

/// The requests of one connection of a sender: reads them, checks whether they are allowed now, and says what is to be
/// done.
///
/// A request is passed to ``receive(_:)``, which returns one step. It answers by itself what needs nothing else.
///
/// See `docs/airplay.md`.
package struct AirPlaySession: Sendable {
    /// What the caller does next; it then sends the answer.
    package enum Step: Sendable {
        /// Send this.
        case answer(AirPlayResponse)
        /// Send this, and end the connection.
        case refuse(AirPlayResponse)
        /// Send what ``ReceiverInformation`` describes.
        case information(wantsRecord: Bool)
        /// Show a PIN, and send an empty answer.
        case showPIN
        /// Pass the body to ``PairSetupAccessory``.
        case pairSetup([UInt8])
        /// Pass the body to ``PairVerifyAccessory``.
        case pairVerify([UInt8])
        /// Pass the body to ``PairingsAccessory``.
        case pairings([UInt8])
        /// Change the settings for the home, and send them.
        case configure(HomeSettings)
        /// Ask the device for a session; listen for the event channel if the setup says so.
        case begin(SenderDescription, SessionSetup?)
        /// Open the sockets of an audio stream, and send their ports.
        case beginAudio(AudioSetup)
        /// Drop what has not been played.
        case flush(RTPPosition?)
        /// Inform the device, and send an empty answer.
        ///
        /// - Parameter artwork: The picture that one of the messages describes; empty for none.
        case notify([SenderMessage], artwork: [UInt8]? = nil)
        /// Send the volume of the device.
        case volume
        /// Ask the device, and send its answer.
        case ask(VideoRequest, SenderDescription, shows: VideoReport)
        /// End the audio stream, or the session.
        case tearDown(isWhole: Bool)
    }

    /// What the answer to a request about a video contains.
    package enum VideoReport: Sendable, Hashable {
        case nothing
        case playback
        case position
    }

    private enum State: Sendable {
        case idle
        /// AirPlay 1: the format of the audio is known.
        case announced(SessionDescription)
        /// A session has begun.
        case open
    }

    package var access: AirPlayAccess
    /// What the sender has proved.
    package var proof = AirPlayProof.none
    private let hasVideo: Bool
    /// The address of the sender, which is its name if it states none.
    private let host: String
    private var state = State.idle
    private var digest: DigestChallenge

    /// - Parameters:
    ///   - host: The address of the sender.
    ///   - nonce: A random text for the digest of a password.
    package init(access: AirPlayAccess, hasVideo: Bool, host: String, nonce: String) {
        (self.access, self.hasVideo, self.host) = (access, hasVideo, host)
        digest = DigestChallenge(realm: "raop", nonce: nonce)
    }

    /// Whether the sender has set up a session.
    package var isOpen: Bool { if case .open = state { true } else { false } }

    /// Whether a sender that has proved this may play, apart from a password of AirPlay 1, which requests prove.
    package var mayPlay: Bool {
        switch proof {
        case .paired: true
        case .transient: access.allowsTransient
        case .none: access.allowsUnencrypted
        case .removed: false
        }
    }

    /// Handles a request.
    package mutating func receive(_ request: AirPlayRequest) -> Step {
        do throws(AirPlayRefusal) {
            return try step(for: request)
        } catch {
            let response = AirPlayResponse(error.status)
            return error.status == 403 ? .refuse(response) : .answer(response)
        }
    }

    private mutating func step(for request: AirPlayRequest) throws(AirPlayRefusal) -> Step {
        // Only browsers send these, for pages of strangers.
        guard request.headers["Origin"] == nil, request.headers["Sec-Fetch-Site"] == nil else {
            throw AirPlayRefusal(403, "a page in a browser may not play")
        }
        if let step = try openStep(for: request) { return step }
        if let challenge = try check(request) { return .answer(challenge) }
        switch request.method {
        case "ANNOUNCE": return try announce(request)
        case "SETUP": return try setUp(request)
        case "RECORD": return try inSession { .answer(AirPlayResponse(200, ["Audio-Latency": "0"])) }
        case "PAUSE", "FLUSH", "FLUSHBUFFERED":
            return try inSession { .flush(request.headers["RTP-Info"].flatMap { RTPPosition(parsing: $0) }) }
        case "SET_PARAMETER": return try setParameter(request)
        case "GET_PARAMETER": return try getParameter(request)
        case "TEARDOWN": return try tearDown(request)
        case "SETPEERS", "SETPEERSX": return try inSession { .answer(.ok) }
        case "GET", "POST", "PUT": return try resource(request)
        default: throw AirPlayRefusal(501, "the method \(request.method.prefix(32)) is unknown")
        }
    }

    /// Returns the step for a request that needs no proof.
    private func openStep(for request: AirPlayRequest) throws(AirPlayRefusal) -> Step? {
        switch (request.method, request.path) {
        case ("OPTIONS", _): return .answer(AirPlayResponse(200, ["Public": Self.methods]))
        case ("GET", "/info"), ("POST", "/info"):
            let names = request.body.isEmpty ? nil : try Self.list(request)["qualifier"]?.array
            return .information(wantsRecord: names?.contains(.text("txtAirPlay")) ?? false)
        case ("GET", "/server-info"): return .information(wantsRecord: false)
        case ("POST", "/pair-pin-start"):
            // Senders ask for it even if they do not need a PIN.
            return request.headers["X-Apple-HKP"] == "4" ? .answer(.ok) : .showPIN
        case ("POST", "/pair-setup"): return .pairSetup(request.body)
        case ("POST", "/pair-verify"): return .pairVerify(request.body)
        default: return nil
        }
    }

    private static let methods =
        "ANNOUNCE, SETUP, RECORD, PAUSE, FLUSH, TEARDOWN, OPTIONS, GET_PARAMETER, SET_PARAMETER, POST, GET, PUT"

    /// Checks whether the sender may do this, and returns a challenge for its password.
    private mutating func check(_ request: AirPlayRequest) throws(AirPlayRefusal) -> AirPlayResponse? {
        switch proof {
        case .paired: return nil
        case .transient where access.allowsTransient: return nil
        case .transient, .removed, .none: break
        }
        guard proof == .none, access.allowsUnencrypted else {
            throw AirPlayRefusal(470, "the sender is not paired")
        }
        guard let password = access.password else { return nil }
        guard digest.isAnswered(by: request, password: password.text) else {
            return AirPlayResponse(401, ["WWW-Authenticate": digest.challenge])
        }
        return nil
    }

    private func inSession(_ step: () throws(AirPlayRefusal) -> Step) throws(AirPlayRefusal) -> Step {
        guard case .open = state else { throw AirPlayRefusal(455, "no session is open") }
        return try step()
    }

    private static func list(_ request: AirPlayRequest) throws(AirPlayRefusal) -> PropertyList {
        guard let list = try? PropertyListReader.read(request.body, name: "the request", limits: .request) else {
            throw AirPlayRefusal(400, "the body is not a property list")
        }
        return list
    }

    // MARK: Session

    private mutating func announce(_ request: AirPlayRequest) throws(AirPlayRefusal) -> Step {
        guard request.contentType == "application/sdp" else {
            throw AirPlayRefusal(415, "an announcement has no session description")
        }
        let description: SessionDescription
        do throws(AirPlayError) {
            description = try SessionDescription(parsing: request.body)
        } catch {
            throw AirPlayRefusal(400, "\(error)")
        }
        guard !description.isEncrypted else {
            throw AirPlayRefusal(501, "audio that is encrypted for Apple's devices cannot be received")
        }
        state = .announced(description)
        let sender = SenderDescription(name: name(request, description.senderName), version: 1)
        return .begin(sender, nil)
    }

    private mutating func setUp(_ request: AirPlayRequest) throws(AirPlayRefusal) -> Step {
        if let transport = request.headers["Transport"] {
            guard case .announced(let description) = state else {
                throw AirPlayRefusal(455, "no format was announced")
            }
            guard let setup = AudioSetup(transport: transport, description.format) else {
                throw AirPlayRefusal(461, "the transport is not RTP over UDP")
            }
            state = .open
            return .beginAudio(setup)
        }
        guard proof.isEncrypted else { throw AirPlayRefusal(470, "the connection is not encrypted") }
        let list = try Self.list(request)
        guard let streams = list["streams"]?.array else {
            let setup = try SessionSetup(list)
            state = .open
            return .begin(SenderDescription(name: name(request, list["name"]?.text), version: 2), setup)
        }
        return try inSession { () throws(AirPlayRefusal) in
            guard let stream = streams.first, streams.count == 1 else {
                throw AirPlayRefusal(501, "a request must set up exactly one stream")
            }
            return .beginAudio(try AudioSetup(stream))
        }
    }

    private mutating func tearDown(_ request: AirPlayRequest) throws(AirPlayRefusal) -> Step {
        guard case .open = state else {
            state = .idle
            return .tearDown(isWhole: true)
        }
        let streams = request.body.isEmpty ? nil : try Self.list(request)["streams"]?.array
        if streams == nil { state = .idle }
        return .tearDown(isWhole: streams == nil)
    }

    /// The session has ended, for a reason of the receiver.
    package mutating func didEnd() {
        state = .idle
    }

    // MARK: Parameters

    private mutating func setParameter(_ request: AirPlayRequest) throws(AirPlayRefusal) -> Step {
        guard case .open = state else { throw AirPlayRefusal(455, "no session is open") }
        let type = request.contentType
        do throws(AirPlayError) {
            switch type {
            case "text/parameters":
                let parameters = try TextParameters(parsing: request.body)
                let progress = parameters.progress.map { progress in
                    PlaybackPosition(
                        position: progress.position(sampleRate: sampleRate) / .seconds(1),
                        duration: progress.duration(sampleRate: sampleRate).map { $0 / .seconds(1) }
                    )
                }
                return .notify(
                    [parameters.volume.map { .setVolume($0) }, progress.map { .setProgress($0) }].compactMap { $0 }
                )
            case "application/x-dmap-tagged":
                return .notify([.setTrack(try TrackMetadata(parsing: request.body))])
            case let type where type.hasPrefix("image/"):
                let artwork = Artwork(type: type, byteCount: request.body.count)
                return .notify([.setArtwork(artwork)], artwork: type == "image/none" ? [] : request.body)
            // Senders of Apple set parameters that this receiver does not have.
            default: return .answer(.ok)
            }
        } catch {
            throw AirPlayRefusal(400, "\(error)")
        }
    }

    /// The rate of the samples, for positions that are numbers of samples.
    package var sampleRate = 44_100

    private func getParameter(_ request: AirPlayRequest) throws(AirPlayRefusal) -> Step {
        let names = String(decoding: request.body.prefix(256), as: UTF8.self).split(whereSeparator: \.isWhitespace)
        guard names.contains("volume") else { return .answer(.ok) }
        return .volume
    }

    // MARK: Resources

    private mutating func resource(_ request: AirPlayRequest) throws(AirPlayRefusal) -> Step {
        switch (request.method, request.path) {
        case ("POST", "/pair-add"), ("POST", "/pair-remove"), ("POST", "/pair-list"):
            guard case .paired(_, isAdmin: true) = proof else { throw AirPlayRefusal(470, "no admin sent this") }
            return .pairings(request.body)
        case ("POST", "/configure"):
            guard case .paired(_, isAdmin: true) = proof else { throw AirPlayRefusal(470, "no admin sent this") }
            return .configure(HomeSettings(try Self.list(request)["ConfigurationDictionary"] ?? .array([])))
        case ("POST", "/feedback"), ("POST", "/command"), ("POST", "/audioMode"): return .answer(.ok)
        default: return try video(request)
        }
    }

    private mutating func video(_ request: AirPlayRequest) throws(AirPlayRefusal) -> Step {
        guard hasVideo else { throw AirPlayRefusal(404, "the receiver has no picture") }
        let sender = SenderDescription(name: name(request, nil), version: proof.isEncrypted ? 2 : 1)
        func ask(_ video: VideoRequest, shows report: VideoReport = .nothing) -> Step {
            .ask(video, sender, shows: report)
        }
        switch (request.method, request.path) {
        case ("POST", "/play"):
            let play = try VideoRequest(playing: request)
            // By AirPlay 1, it is the first request.
            state = .open
            return ask(play)
        case ("POST", "/rate"):
            guard let rate = request.query("value").flatMap({ Double($0) }), rate.isFinite else {
                throw AirPlayRefusal(400, "a rate is not a number")
            }
            return ask(.setRate(rate))
        case ("POST", "/scrub"), ("PUT", "/scrub"):
            guard let position = request.query("position").flatMap({ Double($0) }), position.isFinite else {
                throw AirPlayRefusal(400, "a position is not a number")
            }
            return ask(.seek(position))
        case ("GET", "/scrub"): return ask(.info, shows: .position)
        case ("GET", "/playback-info"): return ask(.info, shows: .playback)
        case ("POST", "/stop"): return ask(.stop)
        case ("PUT", "/setProperty"), ("POST", "/getProperty"), ("GET", "/getProperty"), ("POST", "/action"):
            return .answer(Self.propertyAnswer)
        default: throw AirPlayRefusal(404, "there is no \(request.path.prefix(64))")
        }
    }

    /// Properties are accepted and have no effect.
    private static let propertyAnswer = AirPlayResponse(
        "application/x-apple-binary-plist",
        BinaryPropertyListWriter.write(["errorCode": 0])
    )

    /// The name of a sender for logs, of at most 64 bytes.
    private func name(_ request: AirPlayRequest, _ stated: String?) -> String {
        let name = stated ?? request.headers["X-Apple-Client-Name"] ?? ""
        return name.isEmpty ? host : name.prefix(utf8Bytes: 64)
    }
}
