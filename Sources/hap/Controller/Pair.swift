import AccessoryModel
import ArgumentParser
import HAPController
import HAPCore
import UnixSignals

/// `hap pair`: makes this controller an accessory's.
struct Pair: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pair",
        abstract: "Pair with an accessory.",
        discussion: """
            From then on this controller can read, write and watch it, under the alias that is printed. The accessory must \
            not be paired with another home. The text of a QR code tells which accessory is meant; with a setup code alone, \
            'hap discover' lists the ones that can be paired.

            Ends with 2 when the accessory refuses: a wrong code, paired already, another controller at it. Ctrl-C ends it as \
            long as nothing is agreed; from then on it is finished first.

            EXAMPLE
              hap pair 192.168.1.20:51826 --code 101-48-005
              hap pair 4A:14:A4:8B:D4:19 --code 101-48-005 --as garage
              hap pair --code X-HM://0042JX0W2IG5C
            """
    )

    @Argument(
        help: ArgumentHelp(
            "Where it is: an address and port, or the device ID it announces.",
            valueName: "host:port|device-id"
        )
    )
    var target: String?

    @Option(help: ArgumentHelp("The setup code XXX-XX-XXX, or the text of the QR code, X-HM://…", valueName: "code"))
    var code: String

    @Option(
        name: .customLong("as"),
        help: ArgumentHelp("What to call it. Default: its own name, made short.", valueName: "alias")
    )
    var alias: String?

    @OptionGroup var options: ControllerOptions

    func run() async throws {
        let input = try SetupInput(argument: code)
        let target = try resolvedTarget(for: input)
        if let alias, !AccessoryAlias.isValid(alias) {
            throw CommandFailure.usage(
                "\"\(alias.escapingControlCharacters)\" is no alias; write up to 64 bytes without blanks, colons and slashes."
            )
        }
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
        try await options.withController { controller in
            let news = PairingStatus()
            defer { news.clear() }
            do {
                try await withThrowingTaskGroup(of: Bool.self) { group in
                    group.addTask {
                        for await _ in signals { break }
                        return false
                    }
                    group.addTask {
                        try await pair(target, with: input, in: controller, news)
                        return true
                    }
                    // The pairing decides how this ends, a signal only when.
                    while let isPairing = try await group.next() {
                        if !isPairing { news.interrupt() }
                        group.cancelAll()
                    }
                }
            } catch {
                guard news.isInterrupted, !news.isUncertain else { throw error }
                news.clear()
                guard let alias = news.savedAlias else {
                    throw CommandFailure.failed(
                        "Pairing was given up before it was made; the accessory was not changed."
                    )
                }
                let stored = try await controller.pairings().first { $0.alias == alias }
                try stored.map { try report($0.pairing, as: alias, nil, count: nil) }
            }
        }
    }

    private func pair(
        _ target: AccessoryTarget,
        with input: SetupInput,
        in controller: Controller,
        _ news: PairingStatus
    ) async throws {
        let before = try await controller.pairings().map(\.alias)
        let accessory = try await controller.pair(target, with: input, as: alias) { news.report($0) }
        let database = try await accessory.accessories()
        let main = database.first { $0.aid == .primary } ?? database.first
        var name = accessory.alias
        if alias == nil, !before.contains(name) {
            name = try await Self.rename(accessory, after: main?.name, in: controller)
        }
        news.clear()
        try report(accessory.pairing, as: name, main, count: database.count)
    }

    private func resolvedTarget(for input: SetupInput) throws(CommandFailure) -> AccessoryTarget {
        if let target {
            guard let target = AccessoryTarget(argument: target) else {
                throw CommandFailure.usage(
                    "Write the accessory as HOST:PORT, such as 192.168.1.20:51826, or as its device ID."
                )
            }
            return target
        }
        guard case .payload = input else {
            throw CommandFailure.usage(
                "A setup code does not say which accessory is meant; add HOST:PORT or the device ID ('hap discover')."
            )
        }
        return .matchingPayload
    }

    /// Makes the alias short; another process may take a name between the look and the change.
    static func rename(
        _ accessory: PairedAccessory,
        after name: String?,
        in controller: Controller
    ) async throws(ControllerError) -> String {
        while true {
            let others = try await controller.pairings().filter { $0.pairing != accessory.pairing }
            let alias = AccessoryAlias.suggestion(for: name, taken: others.map(\.alias))
            do throws(ControllerError) {
                try await controller.rename(accessory.alias, to: alias)
                return alias
            } catch {
                guard error.code == .aliasTaken else { throw error }
            }
        }
    }

    private func report(
        _ pairing: AccessoryPairing,
        as alias: String,
        _ main: RemoteAccessory?,
        count: Int?
    ) throws(CommandFailure) {
        let name = main?.name ?? alias
        let bridged =
            switch count ?? 0 {
            case ...1: ""
            case 2: ", with one accessory behind it"
            case let count: ", with \(count - 1) accessories behind it"
            }
        let line =
            "Paired with \(name.escapingControlCharacters) (\(pairing.displayIdentifier)) as \(alias)\(bridged).\n"
        try options.write(line + "'hap accessories \(alias)' shows what it has.\n") { writer in
            writer.member("alias", alias)
            writer.member("deviceID", pairing.displayIdentifier)
            writer.member("name", ifPresent: main?.name)
            writer.member("accessories", ifPresent: count)
        }
    }
}

extension AccessoryPairing {
    /// The accessory's identifier for people.
    var displayIdentifier: String {
        String(decoding: identifier, as: UTF8.self).escapingControlCharacters
    }
}
