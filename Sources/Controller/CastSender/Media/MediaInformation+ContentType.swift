extension MediaInformation {
    /// The media types of what receivers play, by the extensions of names.
    private static let types = [
        "mp4": "video/mp4", "m4v": "video/mp4", "webm": "video/webm", "mkv": "video/x-matroska",
        "mov": "video/quicktime", "mp3": "audio/mpeg", "m4a": "audio/mp4", "aac": "audio/aac", "flac": "audio/flac",
        "wav": "audio/wav", "ogg": "audio/ogg", "opus": "audio/ogg", "jpg": "image/jpeg", "jpeg": "image/jpeg",
        "png": "image/png", "gif": "image/gif", "webp": "image/webp", "m3u8": "application/x-mpegURL",
        "mpd": "application/dash+xml",
    ]

    /// Returns the media type by the extension of a path or an address; `nil` if it is unknown.
    public static func contentType(of path: String) -> String? {
        let name = path.prefix { $0 != "?" && $0 != "#" }.split(separator: "/").last ?? ""
        return name.split(separator: ".").last.flatMap { types[$0.lowercased()] }
    }
}
