import ArgumentParser
import Discovery
import HAPController
import HAPCore
import Hosting

/// The arguments of the commands that pair: an accessory and a setup code, in either order.
struct PairingArguments: ParsableArguments {
    @Argument(
        help: .value(
            "accessory|code",
            """
            The accessory and its setup code, in either order. The accessory is HOST:PORT, its device ID or the name that \
            'hap discover' prints. The code is eight digits, or the text of a QR code, which also identifies the accessory.
            """
        )
    )
    var words: [String] = []

    @Option(help: .value("code", "The setup code, in place of the argument."))
    var code: String?

    @Option(
        name: .customLong("as"),
        help: .value("alias", "The alias to give the accessory. Default: its name, shortened.")
    )
    var alias: String?

    /// Whether neither an accessory nor a code nor an alias was given.
    var isEmpty: Bool { words.isEmpty && code == nil && alias == nil }

    /// Returns the code and the accessory among the arguments.
    ///
    /// - Throws: ``CommandFailure`` if one is missing or malformed. The message never contains the code.
    func parsed() throws -> (setup: SetupInput, accessory: String?) {
        if let alias, !AccessoryAlias.isValid(alias) {
            throw CommandFailure.usage(
                "\"\(alias.escapingControlCharacters)\" is not a valid alias: use at most 64 bytes, without spaces, "
                    + "colons and slashes."
            )
        }
        var words = words
        let codeText: String
        if let code {
            codeText = code
        } else if let index = words.firstIndex(where: SetupInput.isCode) {
            codeText = words.remove(at: index)
        } else if words.count == 2, let index = words.lastIndex(where: { AccessoryTarget(argument: $0) == nil }) {
            // The word is a mistyped code. The error explains the format of a code.
            codeText = words.remove(at: index)
        } else {
            throw CommandFailure.usage("The setup code is missing; add its eight digits, for example 101-48-005.")
        }
        let setup = try SetupInput(argument: codeText)
        guard words.count <= 1 else {
            throw CommandFailure.usage(
                "Write one accessory and one setup code; put a name with spaces in quotes, such as \"Kilgo Garage\"."
            )
        }
        if let word = words.first, SetupInput.isCode(word) {
            throw CommandFailure.usage("The setup code is given twice; write it once.")
        }
        return (setup, words.first)
    }

    /// Resolves the given accessory, or else the QR code's accessory, or else the only one that can be paired.
    ///
    /// If the accessory is given by name, or neither it nor a QR code is given, this searches the network for at most
    /// 3 seconds.
    ///
    /// - Throws: ``CommandFailure`` if no accessory matches, or if none is given and several can be paired.
    static func target(for setup: SetupInput, accessory: String?) async throws -> AccessoryTarget {
        if let accessory {
            if let target = AccessoryTarget(argument: accessory) { return target }
            return try await target(named: accessory)
        }
        if case .payload = setup { return .matchingPayload }
        return try await DiscoveryResults.search().onlyUnpairedTarget()
    }

    /// Returns the accessory that announces a name on the network, within 3 seconds.
    static func target(named name: String) async throws -> AccessoryTarget {
        // An address without its port, or with an invalid one.
        guard name.wholeMatch(of: #/[0-9.]+(:[0-9]*)?|\[.*\](:[0-9]*)?|[0-9A-Fa-f]*:[0-9A-Fa-f:]*/#) == nil else {
            throw CommandFailure.usage(
                "\"\(name.escapingControlCharacters)\" is neither a name nor HOST:PORT; write an address with its port, such "
                    + "as 192.168.1.20:51826 or [fe80::1]:51826."
            )
        }
        let results: DiscoveryResults
        do {
            results = try await DiscoveryResults.search()
        } catch {
            let failure = CommandFailure(error)
            throw CommandFailure(failure.code, "\(failure.message) Without it, write HOST:PORT in place of the name.")
        }
        return try results.target(named: name)
    }
}

extension DiscoveryResults {
    /// Returns the accessory that announces a name; an exact match takes precedence, otherwise case is ignored.
    ///
    /// - Throws: ``CommandFailure`` if no accessory has the name, or if it announces no device ID.
    func target(named name: String) throws -> AccessoryTarget {
        let shown = name.escapingControlCharacters
        let found =
            accessories.first { $0.name == name } ?? accessories.first { $0.name.lowercased() == name.lowercased() }
        guard let found else {
            let near =
                SpellingSuggester.nearest(to: name, among: accessories.map(\.name))
                .map { "; did you mean \"\($0.escapingControlCharacters)\"?" } ?? ". See 'hap discover'."
            throw CommandFailure.unavailable("No accessory on this network announces the name \"\(shown)\"\(near)")
        }
        return try target(of: found)
    }

    /// Returns the only accessory that can be paired.
    ///
    /// - Throws: ``CommandFailure`` if there is none or more than one. In the second case the message lists them.
    func onlyUnpairedTarget() throws -> AccessoryTarget {
        let unpaired = accessories.filter { $0.isPaired == false }
        guard let only = unpaired.first else {
            throw CommandFailure.unavailable(
                "No accessory on this network can be paired; add HOST:PORT if Avahi cannot find it."
            )
        }
        guard unpaired.count == 1 else {
            let list = unpaired.map { "\"\($0.name)\" (\($0.deviceID?.description ?? "no device ID"))" }
                .joined(separator: ", ")
            throw CommandFailure.usage(
                "Several accessories can be paired: \(list.escapingControlCharacters). Add the name or the device "
                    + "ID of one."
            )
        }
        return try target(of: only)
    }

    private func target(of accessory: DiscoveredAccessory) throws -> AccessoryTarget {
        guard let id = accessory.deviceID else {
            throw CommandFailure.unavailable(
                "\"\(accessory.name.escapingControlCharacters)\" announces no device ID; write HOST:PORT in place "
                    + "of its name."
            )
        }
        return .device(id)
    }
}
