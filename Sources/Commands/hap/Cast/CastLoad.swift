import ArgumentParser
import CastSender
import HAPCore
import HAPServer
import Hosting
import Simulation
import YAMLDocuments

/// The command `hap cast load`.
struct CastLoad: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "load",
        abstract: "Play an address or a local file.",
        discussion: """
            A local file is served over HTTP to the receiver alone, while it plays: the command ends with it, or with \
            Ctrl-C. The file of --breaks has the key "ads" of docs/cast.md.

            EXAMPLE
              hap cast load "Living Room" http://example.com/film.mp4 --title "The Film"
              hap cast load "Living Room" http://example.com/film.mp4 --breaks ads.yaml --start 10min --rate 1.5
              hap cast load "Living Room" holiday.mp4
            """
    )

    @OptionGroup var options: CastOptions

    @Argument(help: .value("address|file", "An http or https address, or the path of a file."), completion: .file())
    var source: String

    @Option(help: .value("type", "The media type. Default: by the extension of the name."))
    var type: String?

    @Option(help: .value("text", "The title that the receiver shows."))
    var title: String?

    @Option(help: .value("text", "The second line that the receiver shows."))
    var subtitle: String?

    @Option(help: .value("address", "A picture that the receiver shows."))
    var image: String?

    @Option(help: .value("file", "A file with ad breaks."), completion: .file(extensions: ["yaml", "json"]))
    var breaks: String?

    @Option(help: .value("time", "How long the content is, for receivers that cannot find out."))
    var duration: String?

    @Option(help: .value("time", "The position at which it begins."))
    var start: String?

    @Option(help: .value("rate", "The rate, from 0.5 to 2."))
    var rate: Double?

    @Flag(help: "Load it without playing it.")
    var paused = false

    @Flag(help: "It is a live stream, which has no end.")
    var live = false

    @Option(help: .value("app", "The id of the app. Default: \(CastSession.defaultMediaReceiver)."))
    var app = CastSession.defaultMediaReceiver

    func validate() throws {
        guard rate.map({ 0.5...2 ~= $0 }) ?? true else {
            throw ValidationError("Write --rate as a number from 0.5 to 2.")
        }
    }

    func run() async throws {
        let isAddress = CastAddress.isValid(source)
        guard isAddress || !source.contains("://"), !source.isEmpty else {
            throw CommandFailure.usage("\"\(source.printable)\" is not an http or https address.")
        }
        let contentType = type ?? MediaInformation.contentType(of: source) ?? "video/mp4"
        var media = MediaInformation(contentID: source, contentType: contentType, title: title)
        media.subtitle = subtitle
        media.images = image.map { [CastImage(url: $0)] } ?? []
        media.duration = try time(duration, "--duration")
        media.isLive = live
        if let breaks {
            let bytes = try RegularFile(breaks, upTo: 1 << 20).bytes
            media.adBreaks = try TextDocument.read(CastContent.AdFile.format, from: bytes, in: breaks, firstKey: "ads")
                .breaks.adBreaks
        }
        let startTime = try time(start, "--start")
        if !isAddress {
            do throws(CastSenderError) {
                try CastFileServer.check(source)
            } catch {
                throw CommandFailure.fileContent("\(error)".printable)
            }
        }
        try await options.withSession { [media] session in
            let progress = ProgressLine()
            defer { progress.clear() }
            progress.show("Waiting until the app runs …")
            try await session.launch(app)
            var media = media
            var server: CastFileServer?
            if !isAddress {
                let new = try await CastFileServer.serve(source, as: contentType, to: session)
                media.contentID = new.url
                if media.title == nil { media.title = source.split(separator: "/").last.map(String.init) }
                server = new
            }
            var request = MediaLoadRequest(media)
            (request.startTime, request.rate) = (startTime, rate)
            if paused { request.autoplay = false }
            progress.show("Waiting until the content is loaded …")
            let loaded = try await session.media.load(request)?.sessionID
            progress.clear()
            try options.print(session)
            guard let server else { return }
            try await CastWatching.untilSignal {
                for await status in session.media.statuses {
                    // Another sender may play something else.
                    guard let status, status.sessionID == loaded, status.isLoading || status.playerState != .idle else {
                        break
                    }
                    progress.show("\(status.estimatedPosition.clockText), Ctrl-C ends it")
                }
                if case .ended(.failed(let error)) = session.state { throw error }
            }
            if session.media.status?.sessionID == loaded { try? await session.media.stop() }
            server.close()
        }
    }

    private func time(_ text: String?, _ option: String) throws -> Double? {
        guard let text else { return nil }
        guard let seconds = CastTime.seconds(text) else {
            throw CommandFailure.usage("Write \(option) as 90, 1:30 or 1h30min.")
        }
        return seconds
    }
}
