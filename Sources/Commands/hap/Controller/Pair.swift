import AccessoryModel
import ArgumentParser
import Documents
import HAPController
import HAPCore
import Hosting
import Resources

/// The command `hap pair`, which pairs this controller with an accessory.
struct Pair: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pair",
        abstract: "Pair with an accessory.",
        discussion: """
            Once paired, this controller can read, write and watch the accessory under the alias that is printed. The \
            accessory must not be paired with another home. It is given by address, by device ID or by the name that \
            'hap discover' prints; without one, the text of a QR code identifies it, or the only accessory on the network \
            that can be paired is taken.

            Exits with 2 if the accessory refuses: the code is wrong, it is already paired, or another controller is pairing \
            with it. Ctrl-C cancels until the accessory has accepted the code; after that, pairing is completed first.

            EXAMPLE
              hap pair "Kilgo Garage" 101-48-005
              hap pair 192.168.1.20:51826 --code 10148005
              hap pair 4A:14:A4:8B:D4:19 101-48-005 --as garage
              hap pair X-HM://0042JX0W2IG5C
            """
    )

    @OptionGroup var pairing: PairingArguments

    @OptionGroup var options: ControllerOptions

    func run() async throws {
        let (input, accessory) = try pairing.parsed()
        let signals = await CommandContext.current.stopSignals()
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
                        try await pair(accessory, with: input, in: controller, news)
                        return true
                    }
                    // A signal only cancels the pairing. The result of the pairing determines the exit code.
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
                        "Pairing was canceled; the accessory was not changed."
                    )
                }
                let stored = try await controller.pairings().first { $0.alias == alias }
                try stored.map { try report($0.pairing, as: alias, nil, count: nil) }
            }
        }
    }

    private func pair(
        _ accessory: String?,
        with input: SetupInput,
        in controller: Controller,
        _ news: PairingStatus
    ) async throws {
        let target = try await PairingArguments.target(for: input, accessory: accessory)
        let paired = try await Self.pair(target, with: input, as: pairing.alias, in: controller) { news.report($0) }
        news.clear()
        try report(paired.accessory.pairing, as: paired.alias, paired.database.main, count: paired.database.count)
    }

    /// Pairs with an accessory, and gives it a short alias unless it has one or one is given.
    ///
    /// - Returns: The accessory, its alias, and all accessories of its server.
    static func pair(
        _ target: AccessoryTarget,
        with input: SetupInput,
        as alias: String? = nil,
        in controller: Controller,
        _ onProgress: @escaping @Sendable (PairingProgress) -> Void
    ) async throws(ControllerError) -> (accessory: PairedAccessory, alias: String, database: [RemoteAccessory]) {
        let before = try await controller.pairings().map(\.alias)
        let accessory = try await controller.pair(target, with: input, as: alias, onProgress: onProgress)
        let database = try await accessory.accessories()
        guard alias == nil, !before.contains(accessory.alias) else { return (accessory, accessory.alias, database) }
        let short = try await rename(accessory, after: database.main?.name, in: controller)
        return (accessory, short, database)
    }

    /// Gives the accessory a short alias and returns it.
    ///
    /// The loop tries again if another process takes the alias between the check and the change.
    private static func rename(
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
    ) throws {
        let name = main?.name ?? alias
        let bridged =
            switch count ?? 0 {
            case ...1: ""
            case 2: ", a bridge with one accessory"
            case let count: ", a bridge with \(count - 1) accessories"
            }
        let line =
            "Paired with \(name.escapingControlCharacters) (\(pairing.displayIdentifier)) as \(alias)\(bridged).\n"
        try options.write(
            line + "'hap accessories \(alias)' shows its services.\n",
            PairResource(alias: alias, deviceID: pairing.displayIdentifier, name: main?.name, accessories: count),
            PairResource.format
        )
    }
}

extension [RemoteAccessory] {
    /// The bridge or the only accessory.
    fileprivate var main: RemoteAccessory? { first(where: { $0.aid == .primary }) ?? first }
}

extension AccessoryPairing {
    /// The accessory's identifier as it is displayed.
    var displayIdentifier: String {
        String(decoding: identifier, as: UTF8.self).escapingControlCharacters
    }
}

/// An accessory after pairing.
struct PairResource: Sendable {
    var alias: String
    var deviceID: String
    var name: String?
    var accessories: Int?

    static let format = Format<PairResource>(
        response: "PairResult",
        .written("alias", \.alias, .string, "The alias of the paired accessory."),
        .written("deviceID", \.deviceID, .string, "Its device ID."),
        .written("name", \.name, .string, "Its name, if it could be read."),
        .written("accessories", \.accessories, .count, "The number of its accessories, if they could be read.")
    )
}
