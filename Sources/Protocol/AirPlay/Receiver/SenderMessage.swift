/// What a sender says to the device behind a receiver, decoded.
package enum SenderMessage: Sendable {
    /// It wants to play; the answer is ``ReceiverAnswer/accepted`` or a refusal.
    case begin(SenderDescription)
    /// Its session ends.
    case end
    /// It begins to play audio, or goes on after a pause.
    case play
    /// It pauses audio: what has not been played is to be dropped.
    case pause
    case setVolume(VolumeLevel)
    case setTrack(TrackMetadata)
    case setArtwork(Artwork)
    case setProgress(PlaybackPosition)
    /// What the receiver has heard since the session began.
    case measured(AudioSummary)
    /// It asks for something about a video; there is an answer.
    ///
    /// To play one begins a session, if the sender has none.
    case video(VideoRequest, SenderDescription)
    /// What was found at the address of a video.
    case loaded(url: String, Result<VideoContent, VideoFailure>)
}

/// A sender that has a session, or wants one.
package struct SenderDescription: Sendable, Hashable {
    /// The name that the sender states; its address if it states none.
    package var name: String
    /// The version of AirPlay, 1 or 2.
    package var version: Int

    package init(name: String, version: Int) {
        (self.name, self.version) = (name, version)
    }
}

/// A position in a track and its duration, in seconds.
package struct PlaybackPosition: Sendable, Hashable {
    package let position: Double
    /// `nil` if the track has no end.
    package let duration: Double?

    package init(position: Double, duration: Double?) {
        (self.position, self.duration) = (position, duration)
    }
}

/// A picture that belongs to what is played.
package struct Artwork: Sendable, Hashable {
    /// Such as `image/jpeg`; `image/none` for no picture.
    package let type: String
    package let byteCount: Int

    package init(type: String, byteCount: Int) {
        (self.type, self.byteCount) = (type, byteCount)
    }
}

/// What was received of an audio stream since it began.
package struct AudioSummary: Sendable, Hashable {
    package var received = 0
    /// The packets that never arrived, or too late.
    package var lost = 0
    package var late = 0
    package var reordered = 0
    /// The packets that were sent again because the receiver has asked for them.
    package var resent = 0
    /// The packets of other hosts, and those that cannot be read.
    package var rejected = 0
    /// How much faster the sender's clock is than the receiver's, in millionths; 0 if unknown.
    package var drift = 0.0
    /// Such as `ALAC 44100 Hz 2 ch 16 bit`.
    package var format = ""
    /// The seconds that were recorded; `nil` without a recording.
    package var recorded: Double?

    package init() {}
}

/// A request about a video that the receiver fetches itself.
package enum VideoRequest: Sendable, Hashable {
    /// Plays the content of an address.
    ///
    /// - Parameters:
    ///   - start: Where to begin, in seconds, or as a part from 0 to 1.
    ///   - isPart: Whether `start` is a part of the duration.
    case play(url: String, start: Double, isPart: Bool)
    /// Jumps to a position in seconds.
    case seek(Double)
    /// 0 pauses, 1 plays, other rates are faster or slower.
    case setRate(Double)
    case stop
    /// The state of the playback.
    case info
}

/// What is known of the content of an address.
package struct VideoContent: Sendable, Hashable {
    /// In seconds; `nil` for a live stream.
    package var duration: Double?
    /// How many variants there are, and the resolution and the bandwidth of the one that was chosen.
    package var variants = 0
    package var resolution: String?
    package var bandwidth: Int?

    package init(duration: Double?) { self.duration = duration }
}

/// Why a content cannot be played, as senders expect it.
package struct VideoFailure: Error, Sendable, Hashable {
    /// Such as −1100 for a file that does not exist, in the domain of URL requests.
    package let code: Int
    package let domain: String
    package let reason: String

    package init(_ code: Int, _ reason: String, domain: String = "NSURLErrorDomain") {
        (self.code, self.reason, self.domain) = (code, reason, domain)
    }
}

/// What the device says to a sender.
package enum ReceiverMessage: Sendable {
    /// The answer to ``SenderMessage/begin(_:)`` or ``SenderMessage/video(_:_:)``, with the number of the question.
    case answer(ReceiverAnswer, to: UInt64)
    /// A user at the device or in HomeKit wants this.
    case command(RemoteCommand)
    /// The content of this address is to be looked up.
    case load(String)
    /// The session is over, for this reason.
    case end(String)
}

package enum ReceiverAnswer: Sendable, Hashable {
    case accepted
    /// The status of RTSP, such as 453.
    case refused(Int)
    case playback(PlaybackInformation)
}

/// The state of a video, as senders ask for it.
package struct PlaybackInformation: Sendable, Hashable {
    /// In seconds; `nil` if nothing is played, or if a live stream is played.
    package var duration: Double?
    package var position = 0.0
    package var rate = 0.0
    package var isReady = false
    package var failure: VideoFailure?

    package init() {}
}

/// What a user wants of the sender.
package enum RemoteCommand: Sendable, Hashable {
    case play
    case pause
    case playPause
    case stop
    case next
    case previous
    case setVolume(VolumeLevel)

    /// The name for logs, which is also the one in DACP: `/ctrl-int/1/pause`.
    package var name: String {
        switch self {
        case .play: "play"
        case .pause: "pause"
        case .playPause: "playpause"
        case .stop: "stop"
        case .next: "nextitem"
        case .previous: "previtem"
        case .setVolume: "setproperty"
        }
    }
}
