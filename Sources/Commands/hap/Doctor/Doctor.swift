import AccessoryModel
import ArgumentParser
import HAPController
import Hosting
import Storage
import WebConsole

/// The command `hap doctor`, which diagnoses problems and suggests fixes.
struct Doctor: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Diagnose problems of this machine, or of an accessory elsewhere.",
        discussion: """
            Checks the state, ports, discovery, network, clock and limits of this machine. With an address, it checks \
            any HomeKit accessory from outside, without pairing. If this machine is paired with the accessory, it also \
            opens a session. Nothing is changed, and a running server is not disturbed.

            Exits with 0 if there are no problems, with 1 if there are, and with 69 if the accessory or the Avahi \
            daemon does not answer.

            EXAMPLE
              hap doctor
              hap doctor --advertise off     without Avahi
              hap doctor 192.168.1.20:51826 --json
              hap doctor garage              a paired accessory, or the name of any
            """
    )

    @Argument(
        help: ArgumentHelp(
            "The accessory to check. Default: this machine.",
            valueName: "host:port|alias|name|device-id"
        )
    )
    var target: String?

    @Option(
        help: ArgumentHelp(
            "The state folder. Default: $XDG_STATE_HOME/hap or ~/.local/state/hap.",
            valueName: "folder"
        )
    )
    var state: String?

    @Option(
        help: ArgumentHelp(
            "The configuration file of 'hap serve'. Default: Config/hap.yaml if it exists.",
            valueName: "file"
        )
    )
    var config: String?

    @Option(
        help: ArgumentHelp(
            "How accessories are advertised. With off, a missing Avahi daemon is not a problem. Default: the option of "
                + "a running 'hap serve', or the configuration file.",
            valueName: AdvertiseMode.allCases.map(\.rawValue).joined(separator: "|")
        )
    )
    var advertise: AdvertiseMode?

    @Flag(help: "Print the findings as JSON.")
    var json = false

    func run() async throws {
        let report = DoctorReport(target: target, results: try await results())
        try Output.write(report.text, report, DoctorReport.format, asJSON: json)
        guard report.status == 0 else { throw ExitCode(report.status) }
    }

    private func results() async throws -> [CheckResult] {
        if let target {
            return try await results(at: target)
        }
        var diagnostics: [CheckResult] = []
        var file = ConfigurationFile()
        do {
            file = try ConfigurationFile.load(config)
        } catch {
            let remedy =
                "Correct the file; 'hap validate \(config ?? CommandContext.current.configurationFile)' checks it."
            let failure = CommandFailure(error)
            let sentences = failure.diagnostics.isEmpty ? [failure.message] : failure.diagnostics.map { "\($0)." }
            diagnostics += sentences.map { CheckSubject("Configuration").problem($0, remedy: remedy) }
        }
        var location = try StateLocation(state ?? file.state)
        // Without a state in the default folder, that of the only running process is meant.
        if state == nil, file.state == nil, (try? StateStore.exists(in: location.path)) != true {
            let running = RunningProcess.running([.serve], in: nil)
            if let process = running.first, running.count == 1 { location = try StateLocation(process.folder) }
        }
        return await diagnostics
            + MachineReport.results(
                state: location,
                configuredPort: file.port,
                advertise: advertise,
                configuredAdvertise: file.advertise
            )
    }

    private func results(at target: String) async throws -> [CheckResult] {
        let location = try StateLocation(state)
        var diagnostics: [CheckResult] = []
        var controller: StoredController?
        do throws(StoreError) {
            controller = try await StoredController.read(location.path)
        } catch {
            diagnostics += CheckSubject("State").problem(error.reason, remedy: error.remedy)
        }
        let named: DoctorTarget
        do {
            named = try await DoctorTarget(named: target, controller)
        } catch {
            // An unknown name may belong to a pairing that could not be read, so only that error is reported.
            guard diagnostics.isEmpty else { return diagnostics }
            throw error
        }
        let target = named
        let look = await RemoteReport.inspect(at: target.endpoint)
        diagnostics = look.results + diagnostics
        guard let controller, let place = look.reachedEndpoint else { return diagnostics + look.unknownPairingResults }
        var stored = target.pairing
        if stored == nil, case .reported(let identifier) = look.identity {
            stored = controller.pairing(identifiedAs: identifier)
        }
        guard let stored else { return diagnostics + look.unknownPairingResults }
        return await diagnostics + PairedReport.inspect(at: place, as: stored, of: controller.identity).results
    }
}
