package import HAPCore

/// What a receiver says about itself.
///
/// Members that are missing, or have another type than they should, are `nil`, or what is usual: a volume of 1.
///
/// See `docs/cast.md`.
public struct ReceiverStatus: Sendable, Hashable {
    /// The volume of the device.
    public var volume: CastVolume
    /// Whether the volume cannot be changed.
    public var hasFixedVolume: Bool
    /// The change of the volume by one press of a key, from 0 to 1.
    public var volumeStep: Double
    /// The app that runs; `nil` if none does, or only the screen of an idle receiver.
    public var app: RunningApp?
    /// Whether the television shows the receiver; `nil` if it does not know.
    public var isActiveInput: Bool?
    /// Whether the television is in standby; `nil` if it does not know.
    public var isStandBy: Bool?

    /// An app that runs on a receiver.
    public struct RunningApp: Sendable, Hashable {
        /// Such as `CC1AD845`.
        public var id: String
        /// The name that users know.
        public var name: String
        /// The id with which the app is stopped.
        public var sessionID: String
        /// The id to which messages for the app are sent.
        public var transportID: String
        /// The namespaces of the messages that it understands.
        public var namespaces: [String]
        /// What it does, such as `Casting: The Film`.
        public var statusText: String
    }

    /// Reads the member `status` of RECEIVER_STATUS.
    ///
    /// - Parameter former: The volume before it, of which the members stay that are missing.
    package init(_ object: JSONObject, after former: CastVolume = CastVolume()) {
        let volume = object.object("volume") ?? [:]
        self.volume = former
        self.volume.apply(volume)
        hasFixedVolume = volume.text("controlType") == "fixed"
        let step = volume.number("stepInterval") ?? 0
        volumeStep = step > 0 && step <= 1 ? step : 0.05
        app = (object.objects("applications") ?? []).lazy.compactMap { RunningApp($0) }.first
        (isActiveInput, isStandBy) = (object.flag("isActiveInput"), object.flag("isStandBy"))
    }
}

extension ReceiverStatus.RunningApp {
    /// Reads an app; `nil` for the screen of an idle receiver, and for one that cannot be addressed.
    fileprivate init?(_ object: JSONObject) {
        guard let id = object.text("appId"), object.flag("isIdleScreen") != true,
            let sessionID = object.text("sessionId") ?? object.text("transportId")
        else { return nil }
        self.init(
            id: id,
            name: object.text("displayName") ?? id,
            sessionID: sessionID,
            transportID: object.text("transportId") ?? sessionID,
            namespaces: (object.objects("namespaces") ?? []).compactMap { $0.text("name") },
            statusText: object.text("statusText") ?? ""
        )
    }

    /// Whether it plays media.
    public var playsMedia: Bool { namespaces.contains(CastNamespace.media) }
}
