// Plays a film on a receiver, with an ad before it, at half speed for a while, and talks to the app.
import CastSender
import Glibc

guard CommandLine.arguments.count == 2, let name = CommandLine.arguments.last else {
    print("Write the name of a receiver, such as \"Living Room\".")
    exit(64)
}
guard let device = await CastDeviceBrowser().device(named: name) else {
    print("The receiver \"\(name)\" was not found on this network: check its name and that it is turned on.")
    exit(69)
}
let session = CastSession(with: device)
try await session.connect()
try await session.launch()

var film = MediaInformation(contentID: "http://example.com/film.mp4", contentType: "video/mp4", title: "The Film")
film.duration = 7_200
film.images = [CastImage(url: "http://example.com/poster.png")]
film.adBreaks = [
    AdBreak(
        id: "before",
        clips: [AdClip(id: "one", duration: 15, skippableAfter: 0), AdClip(id: "two", duration: 15)],
        position: 0
    )
]
try await session.media.load(MediaLoadRequest(film))
print("An ad is played: \(session.media.status?.adBreak?.clipID ?? "none")")
try await session.media.skipAd()
print("The next ad is played: \(session.media.status?.adBreak?.clipID ?? "none")")

// A control with three positions, which is shown only if the rate can be changed.
if session.media.status?.canChangeRate == true {
    try await session.media.setPlaybackRate(0.5)
    print("The rate is \(session.media.status?.rate ?? 1).")
}

let channel = try CastChannel(namespace: "urn:x-cast:com.example.quiz")
try await session.add(channel)
print("The app has the channel: \(channel.isConnected)")

try await session.media.stop()
await session.end(stoppingApp: true)
