import ArgumentParser
import CastSender
import Documents
import Hosting
import Resources

/// The command `hap cast queue`, which contains the commands for the queue of an app.
struct CastQueueCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "queue",
        abstract: "Show and change what is played next.",
        discussion: """
            EXAMPLE
              hap cast queue list "Living Room"
              hap cast queue add "Living Room" http://example.com/second.mp4
              hap cast queue next "Living Room"
            """,
        subcommands: [
            CastQueueList.self, CastQueueAdd.self, CastQueueNext.self, CastQueuePrevious.self, CastQueueJump.self,
            CastQueueRemove.self, CastQueueMove.self, CastQueueRepeat.self, CastQueueShuffle.self,
        ]
    )
}

struct CastQueueList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the items of the queue.",
        discussion: """
            EXAMPLE
              hap cast queue list "Living Room"
            """
    )

    @OptionGroup var options: CastOptions

    func run() async throws {
        try await options.withSession { session in
            try await session.join()
            let ids = try await session.media.itemIDs()
            let items = ids.isEmpty ? [] : try await session.media.items(ids)
            let list = CastQueueListing(items: items, current: session.media.status?.currentItemID)
            try Output.write(list.text, list, CastQueueListing.format, asJSON: options.json)
        }
    }
}

/// The items of a queue, as `hap cast queue list` prints them.
struct CastQueueListing: Sendable {
    var items: [MediaQueueItem]
    var current: Int?

    static let format = Format<CastQueueListing>(
        response: "CastQueue",
        .written("items", \.items, .list(of: item), "The items in their order."),
        .written("current", \.current, .integer, "The number of the item that is played.")
    )

    private static let item = Format<MediaQueueItem>(
        response: "CastQueueItem",
        .written("id", \.id, .integer, "The number that the receiver gave it."),
        .written("contentId", \.media.contentID, .string, "The address or the id of the content."),
        .written("title", \.media.title, .string, "The title.")
    )

    var text: String {
        guard !items.isEmpty else { return "The queue is empty.\n" }
        return
            items.map { item in
                let mark = item.id == current ? "▶" : " "
                return "\(mark) \(item.id ?? 0)  \(item.media.title ?? item.media.contentID)".printable + "\n"
            }
            .joined()
    }
}

struct CastQueueAdd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add an address to the queue.",
        discussion: """
            EXAMPLE
              hap cast queue add "Living Room" http://example.com/second.mp4
            """
    )

    @OptionGroup var options: CastOptions

    @Argument(help: .value("address", "An http or https address."))
    var address: String

    @Option(help: .value("type", "The media type. Default: by the extension of the name."))
    var type: String?

    @Option(help: .value("text", "The title that the receiver shows."))
    var title: String?

    @Option(help: .value("number", "The item before which it is added. Default: at the end."))
    var before: Int?

    func run() async throws {
        guard CastAddress.isValid(address) else {
            throw CommandFailure.usage("\"\(address.printable)\" is not an http or https address.")
        }
        let type = type ?? MediaInformation.contentType(of: address) ?? "video/mp4"
        let item = MediaQueueItem(MediaInformation(contentID: address, contentType: type, title: title))
        try await options.perform { try await $0.insert([item], before: before) }
    }
}

struct CastQueueNext: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "next",
        abstract: "Play the next item.",
        discussion: """
            EXAMPLE
              hap cast queue next "Living Room"
            """
    )

    @OptionGroup var options: CastOptions

    func run() async throws { try await options.perform { try await $0.jump(by: 1) } }
}

struct CastQueuePrevious: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "previous",
        abstract: "Play the previous item.",
        discussion: """
            EXAMPLE
              hap cast queue previous "Living Room"
            """
    )

    @OptionGroup var options: CastOptions

    func run() async throws { try await options.perform { try await $0.jump(by: -1) } }
}

struct CastQueueJump: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "jump",
        abstract: "Play an item.",
        discussion: """
            EXAMPLE
              hap cast queue jump "Living Room" 2
            """
    )

    @OptionGroup var options: CastOptions

    @Argument(help: .value("number", "The number of the item, as 'hap cast queue list' prints it."))
    var item: Int

    func run() async throws { try await options.perform { try await $0.jump(toItem: item) } }
}

struct CastQueueRemove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove items.",
        discussion: """
            EXAMPLE
              hap cast queue remove "Living Room" 2 3
            """
    )

    @OptionGroup var options: CastOptions

    @Argument(help: .value("number", "The numbers of the items, as 'hap cast queue list' prints them."))
    var items: [Int]

    func run() async throws { try await options.perform { try await $0.remove(items: items) } }
}

struct CastQueueMove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "move",
        abstract: "Move items.",
        discussion: """
            EXAMPLE
              hap cast queue move "Living Room" 3 --before 1
            """
    )

    @OptionGroup var options: CastOptions

    @Argument(help: .value("number", "The numbers of the items, as 'hap cast queue list' prints them."))
    var items: [Int]

    @Option(help: .value("number", "The item before which they are moved. Default: to the end."))
    var before: Int?

    func run() async throws { try await options.perform { try await $0.move(items: items, before: before) } }
}

struct CastQueueRepeat: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "repeat",
        abstract: "Choose what follows the last item.",
        discussion: """
            EXAMPLE
              hap cast queue repeat "Living Room" all
            """
    )

    enum Mode: String, ExpressibleByArgument, CaseIterable {
        case off, all, single, shuffle

        var mode: RepeatMode {
            switch self {
            case .off: .off
            case .all: .all
            case .single: .single
            case .shuffle: .shuffle
            }
        }
    }

    @OptionGroup var options: CastOptions

    @Argument(help: .value("mode", "off, all, single, or shuffle: all in another order each time."))
    var mode: Mode

    func run() async throws { try await options.perform { try await $0.setRepeatMode(mode.mode) } }
}

struct CastQueueShuffle: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "shuffle",
        abstract: "Put the items in a random order.",
        discussion: """
            EXAMPLE
              hap cast queue shuffle "Living Room"
            """
    )

    @OptionGroup var options: CastOptions

    func run() async throws { try await options.perform { try await $0.shuffle() } }
}
