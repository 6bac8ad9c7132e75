import ArgumentParser
import Foundation

/// `hap doctor`: what is wrong, and the way out.
struct Doctor: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Find out what is wrong, here or with an accessory elsewhere.",
        discussion: """
            Looks at the state, ports, discovery, network, clock and limits of this machine; with an address, at any HomeKit \
            accessory from outside, without pairing. Nothing is changed, and a running server is not disturbed.

            Ends with 0 when nothing is wrong, 1 with problems, 69 when the accessory or the Avahi daemon does not answer.

            EXAMPLE
              hap doctor
              hap doctor 192.168.1.20:51826 --json
            """
    )

    @Argument(
        help: ArgumentHelp("The accessory to look at from outside. Default: this machine.", valueName: "host:port")
    )
    var target: String?

    @Option(
        help: ArgumentHelp(
            "Where the state is. Default: $XDG_STATE_HOME/hap or ~/.local/state/hap.",
            valueName: "folder"
        )
    )
    var state: String?

    @Option(
        help: ArgumentHelp(
            "The configuration file of 'hap serve'. Default: Config/hap.yaml when present.",
            valueName: "file"
        )
    )
    var config: String?

    @Flag(help: "Print the findings as JSON.")
    var json = false

    func run() async throws {
        let report = DoctorReport(target: target, findings: try await findings())
        try FileDescriptorWriter.print(json ? report.json : report.text)
        guard report.status == 0 else { throw ExitCode(report.status) }
    }

    private func findings() async throws(CommandFailure) -> [Finding] {
        if let target {
            guard let target = RemoteTarget(target) else {
                throw CommandFailure(.usage, "Write the accessory as HOST:PORT, such as 192.168.1.20:51826.")
            }
            return await RemoteLook.look(at: target).findings
        }
        var findings: [Finding] = []
        var file = ConfigurationFile()
        do throws(CommandFailure) {
            file = try ConfigurationFile.load(config)
        } catch {
            findings.append(Finding("Configuration", .problem, error.message))
        }
        let location = try StateLocation(state ?? file.state, environment: ProcessInfo.processInfo.environment)
        return await findings + MachineLook.findings(state: location, configuredPort: file.port)
    }
}
