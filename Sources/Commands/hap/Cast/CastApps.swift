import ArgumentParser
import AsyncPrimitives
import CastSender
import Documents
import HAPCore
import Hosting
import Resources

/// The command `hap cast status`.
struct CastStatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show what a receiver does.",
        discussion: """
            With --watch, a line is printed for each change until Ctrl-C; a lost connection is opened again.

            EXAMPLE
              hap cast status "Living Room"
              hap cast status 192.168.1.20:8009 --json
              hap cast status "Living Room" --watch
            """
    )

    @OptionGroup var options: CastOptions

    @Flag(help: "Print a line for each change, until Ctrl-C.")
    var watch = false

    @Flag(help: "Print the SHA-256 digest of the receiver's device certificate, for --fingerprint.")
    var showFingerprint = false

    func run() async throws {
        try await options.withSession(reconnects: watch) { session in
            if showFingerprint {
                var status = CastStatus(session)
                let digits = try await session.deviceFingerprint()
                status.fingerprint = digits
                return try Output.write(digits + "\n", status, CastStatus.format, asJSON: options.json)
            }
            _ = try? await session.join()
            guard watch else { return try options.print(session) }
            try await CastWatching.untilSignal {
                await follow(session)
            }
        }
    }

    private func follow(_ session: CastSession) async {
        var last: String?
        for await _ in session.changes {
            let status = CastStatus(session)
            let content = options.json ? CastStatus.format.json(status) : status.line
            if content != last {
                last = content
                let line = options.json ? content : "\(LineTime.now)  \(content)"
                guard (try? Output.write(line + "\n")) == true else { return }
            }
            // An app that another sender starts is followed, too.
            if session.receiverStatus?.app != nil { _ = try? await session.join() }
        }
    }
}

/// The command `hap cast launch`.
struct CastLaunch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "launch",
        abstract: "Start an app.",
        discussion: """
            EXAMPLE
              hap cast launch "Living Room"            Google's app that plays any address
              hap cast launch "Living Room" 233637DE   an app by its id
            """
    )

    @OptionGroup var options: CastOptions

    @Argument(help: .value("app", "The id of the app. Default: \(CastSession.defaultMediaReceiver)."))
    var app = CastSession.defaultMediaReceiver

    func run() async throws {
        try await options.withSession { session in
            let progress = ProgressLine()
            progress.show("Waiting until the app runs …")
            defer { progress.clear() }
            try await session.launch(app)
            progress.clear()
            try options.print(session)
        }
    }
}

/// The command `hap cast quit`.
struct CastQuit: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "quit",
        abstract: "End the app that runs.",
        discussion: """
            EXAMPLE
              hap cast quit "Living Room"
            """
    )

    @OptionGroup var options: CastOptions

    func run() async throws {
        try await options.withSession { session in
            try await session.stopApp()
            try options.print(session)
        }
    }
}

/// The command `hap cast send`.
struct CastSend: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "send",
        abstract: "Send a message to the app that runs.",
        discussion: """
            EXAMPLE
              hap cast send "Living Room" urn:x-cast:com.example.quiz '{"answer": 2}' --wait
            """
    )

    @OptionGroup var options: CastOptions

    @Argument(help: .value("namespace", "The namespace, which begins with urn:x-cast:."))
    var namespace: String

    @Argument(help: .value("text", "The message, which is usually JSON."))
    var text: String

    @Flag(help: "Wait for the next message of the app in the namespace, at most 10 s, and print it.")
    var wait = false

    func run() async throws {
        let channel = try CastWatching.channel(namespace)
        try await options.withSession { session in
            try await session.join()
            try await session.add(channel)
            try await channel.send(text)
            guard wait else { return try options.print(session) }
            let message = await withTimeLimit(.seconds(10)) { () -> CastAppMessage? in
                for await event in channel.events {
                    if let message = CastAppMessage(event) { return message }
                }
                return nil
            }
            guard let answer = message else {
                throw CommandFailure.unavailable("The app has sent nothing within 10 s.")
            }
            guard let message = answer else {
                throw CommandFailure.unavailable("The connection has ended before the app has sent anything.")
            }
            try Output.write(message.text + "\n", message, CastAppMessage.format, asJSON: options.json)
        }
    }
}

/// The command `hap cast listen`.
struct CastListen: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "listen",
        abstract: "Print the messages of the app that runs, one on each line, until Ctrl-C.",
        discussion: """
            Bytes are printed as hexadecimal digits after "0x".

            EXAMPLE
              hap cast listen "Living Room" urn:x-cast:com.example.quiz
            """
    )

    @OptionGroup var options: CastOptions

    @Argument(help: .value("namespace", "The namespace, which begins with urn:x-cast:."))
    var namespace: String

    func run() async throws {
        let channel = try CastWatching.channel(namespace)
        try await options.withSession(reconnects: true) { session in
            try await session.join()
            try await session.add(channel)
            guard channel.isConnected else { throw CastSenderError.unsupportedNamespace(namespace) }
            try await CastWatching.untilSignal {
                for await event in channel.events {
                    guard let message = CastAppMessage(event) else { continue }
                    let line = options.json ? CastAppMessage.format.json(message) : message.text
                    guard (try? Output.write(line + "\n")) == true else { return }
                }
            }
        }
    }
}

/// A message of an app, as `hap cast listen` prints it.
struct CastAppMessage: Sendable {
    var message: String?
    var data: String?

    static let format = Format<CastAppMessage>(
        response: "CastAppMessage",
        .written("text", \.message, .string, "The text of a message."),
        .written("data", \.data, .string, "Or its bytes, in hexadecimal digits.")
    )

    /// Creates the message of an event; `nil` for other events.
    init?(_ event: CastChannel.Event) {
        switch event {
        case .text(let text): message = text
        case .data(let bytes): data = bytes.map(\.paddedHexadecimal).joined()
        case .connected, .disconnected: return nil
        }
    }

    var text: String { message?.printable ?? "0x\(data ?? "")" }
}

/// What the commands that follow a receiver share.
enum CastWatching {
    static func channel(_ namespace: String) throws -> CastChannel {
        do {
            return try CastChannel(namespace: namespace)
        } catch {
            throw CommandFailure(error)
        }
    }

    /// Works until a signal ends the command, or the work ends.
    static func untilSignal(_ work: @escaping @Sendable () async throws -> Void) async throws {
        let signals = await CommandContext.current.stopSignals()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for await _ in signals {
                    ForcedExit.schedule()
                    break
                }
            }
            group.addTask { try await work() }
            defer { group.cancelAll() }
            try await group.next()
        }
    }
}
