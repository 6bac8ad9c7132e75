import AccessoryModel
import ArgumentParser
import Glibc
import HAPCore
import Hosting
import Storage
import WebConsole

/// The command `hap reset`, which removes the pairings or returns to the state of a first start.
struct Reset: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset",
        abstract: "Remove the pairings, or the complete state.",
        discussion: """
            Without options, the complete state is removed: identity, pairings, ids and values. At the next start, the \
            accessory is a new one with a new device ID. With --pairings, only the pairings are removed, also from a \
            server that is running.

            EXAMPLE
              hap reset --pairings --yes
            """
    )

    @Flag(help: "Remove only the pairings; identity, ids and values stay.")
    var pairings = false

    @Flag(help: "Do not ask for confirmation.")
    var yes = false

    @Option(help: .value("folder", "The state folder. Default: $XDG_STATE_HOME/hap or ~/.local/state/hap."))
    var state: String?

    func run() async throws {
        var folder = try StateLocation(state)
        // Without a state in the default folder, that of the only running process is meant.
        if pairings, state == nil, try !StateStore.exists(in: folder.path) {
            let running = RunningProcess.running([.serve], in: nil)
            if running.count > 1 { throw RunningProcess.choice(of: running, option: "--state") }
            if let process = running.first { folder = try StateLocation(process.folder) }
        }
        guard try StateStore.exists(in: folder.path) else {
            throw CommandFailure.failed("There is no state in \(folder.path); name the right folder with --state.")
        }
        let process = RunningProcess(.serve, in: folder.path)
        if pairings, process.isRunning {
            return try await resetPairings(of: process)
        }
        try await StateStore.open(folder: folder.path).closing { store in try await reset(store, in: folder) }
    }

    private func reset(_ store: StateStore, in folder: StateLocation) async throws {
        let keys = try await store.serverKeys()
        guard !keys.isEmpty else {
            write("There is no state in \(folder.path).\n")
            return
        }
        let names = keys.joined(separator: ", ").printable
        try confirm(
            pairings
                ? "Remove the pairings of \(names)?"
                : "Remove identity, pairings, ids and values of \(names)?"
        )
        if pairings {
            try await store.removeAllPairings()
        } else {
            try await store.resetAll()
        }
        write(pairings ? "The pairings of \(names) were removed.\n" : "\(names) will start as new.\n")
    }

    /// Asks a running server to remove its pairings, so that it also closes their sessions and announces the change.
    private func resetPairings(of process: RunningProcess) async throws {
        let keys = try await process.servers().map(\.key)
        let names = keys.joined(separator: ", ").printable
        try confirm("Remove the pairings of \(names), which is running?")
        for key in keys {
            _ = try await process.request("DELETE", "/api/v1/servers/\(key.percentEncoded)/pairings")
        }
        write("The pairings of \(names) were removed.\n")
    }

    private func confirm(_ question: String) throws {
        guard !yes else { return }
        guard isatty(CommandContext.current.input) == 1 else {
            throw CommandFailure.usage("There is no terminal to ask for confirmation; add --yes to proceed.")
        }
        write("\(question) [y/N] ")
        guard let response = readLine()?.lowercased(), response == "y" || response == "yes" else {
            throw CommandFailure.failed("Nothing was changed.")
        }
    }

    /// Prints a text, which nothing depends on.
    private func write(_ text: String) {
        FileDescriptorWriter.write(text, to: CommandContext.current.output)
    }
}
