import AccessoryModel
import ArgumentParser
import HAPController
import HAPCore

/// `hap pair`: makes this controller an accessory's.
struct Pair: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Pair with an accessory.",
        discussion: """
            From then on this controller can read, write and watch it, under the alias that is printed. The accessory must \
            not be paired with another home. The text of a QR code tells which accessory is meant; with a setup code alone, \
            'hap discover' lists the ones that can be paired.

            Ends with 2 when the accessory refuses: a wrong code, paired already, another controller at it.

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
        let target = try target(for: input)
        if let alias, !AccessoryAlias.isValid(alias) {
            throw CommandFailure(
                .usage,
                "\"\(alias.withVisibleControls)\" is no alias; write up to 64 bytes without blanks, colons and slashes."
            )
        }
        try await options.withController { controller in
            let line = ProgressLine()
            defer { line.clear() }
            let before = try await controller.pairings().map(\.alias)
            let accessory = try await controller.pair(target, with: input, as: alias) { line.show($0.text) }
            let database = try await accessory.accessories()
            let main = database.first { $0.aid == .primary } ?? database.first
            var name = accessory.alias
            if alias == nil, !before.contains(name) {
                name = try await Self.rename(accessory, after: main?.name, in: controller)
            }
            line.clear()
            try report(accessory.pairing, as: name, main, count: database.count)
        }
    }

    private func target(for input: SetupInput) throws(CommandFailure) -> AccessoryTarget {
        if let target {
            guard let target = AccessoryTarget(argument: target) else {
                throw CommandFailure(
                    .usage,
                    "Write the accessory as HOST:PORT, such as 192.168.1.20:51826, or as its device ID."
                )
            }
            return target
        }
        guard case .payload = input else {
            throw CommandFailure(
                .usage,
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
                guard error.code == .taken else { throw error }
            }
        }
    }

    private func report(
        _ pairing: AccessoryPairing,
        as alias: String,
        _ main: RemoteAccessory?,
        count: Int
    ) throws(CommandFailure) {
        if options.json {
            var writer = JSONWriter()
            writer.beginObject()
            writer.member("alias", alias)
            writer.member("deviceID", pairing.shownIdentifier)
            if let name = main?.name {
                writer.member("name", name)
            }
            writer.member("accessories", count)
            writer.endObject()
            try Output.write(writer)
            return
        }
        let name = main?.name ?? alias
        let bridged =
            switch count {
            case ...1: ""
            case 2: ", with one accessory behind it"
            default: ", with \(count - 1) accessories behind it"
            }
        try Output.write(
            "Paired with \(name.withVisibleControls) (\(pairing.shownIdentifier)) as \(alias)\(bridged).\n"
                + "'hap accessories \(alias)' shows what it has.\n"
        )
    }
}

extension AccessoryPairing {
    /// The accessory's identifier for people.
    var shownIdentifier: String {
        String(decoding: identifier, as: UTF8.self).withVisibleControls
    }
}
