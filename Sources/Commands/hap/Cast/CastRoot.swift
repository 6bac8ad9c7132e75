import ArgumentParser
import Documents
import Hosting
import Resources
import WebConsole

/// The command `hap cast root`, which prints the root certificate of a simulated receiver.
struct CastRoot: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "root",
        abstract: "Print the root certificate of a simulated Cast receiver of a running 'hap serve'.",
        discussion: """
            Chromium checks the device certificate of a receiver. It accepts a simulated one if it is started with this \
            root certificate; other senders do not check.

            EXAMPLE
              hap cast root > root.crt
              chromium --cast-developer-certificate-path=$PWD/root.crt
              hap cast root "Living Room"    of several receivers
            """
    )

    @OptionGroup var options: ProcessOptions

    @Argument(help: .value("accessory", "The name of the accessory, if several are receivers."))
    var accessory: String?

    func run() async throws {
        let process = try await options.running([.serve, .run])
        var receivers: [ListeningDriver] = []
        for server in try await process.servers() {
            receivers += try await process.listeningDrivers(of: server).filter { $0.name == "cast" }
        }
        if let accessory { receivers = receivers.filter { $0.accessory == accessory } }
        let names = Set(receivers.map(\.accessory)).sorted()
        guard let receiver = receivers.first, let certificate = receiver.certificate else {
            throw CommandFailure.unavailable(
                accessory.map { "No accessory \"\($0)\" is a Cast receiver.".printable }
                    ?? "No Cast receiver runs; serve a file with \"driver: { cast: { } }\"."
            )
        }
        guard names.count == 1 else {
            throw CommandFailure.usage(
                "There are several receivers; name one of \(names.joined(separator: ", ")).".printable
            )
        }
        let root = CastRootResource(accessory: receiver.accessory, certificate: certificate)
        try Output.write(certificate, root, CastRootResource.format, asJSON: options.json)
    }
}

/// The root certificate of a receiver, as `hap cast root --json` prints it.
struct CastRootResource: Sendable {
    var accessory: String
    var certificate: String

    static let format = Format<CastRootResource>(
        response: "CastRoot",
        .written("accessory", \.accessory, .string, "The name of the accessory."),
        .written("certificate", \.certificate, .string, "The root certificate, as PEM.")
    )
}
