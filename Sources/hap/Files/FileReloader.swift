import HAPServer
import SimulationRuntime

/// Serves anew what is edited while it is served.
struct FileReloader: Sendable {
    private let servers: [RunningServer]
    /// The servers' places among all of them.
    private let serverIndices: [Int]
    private var files: [ServedFile]
    private let printer: LinePrinter
    /// Where names follow what is served.
    private let simulation: CurrentSimulationServers?
    /// Where the next look begins.
    private var nextIndex = 0

    /// The time between two looks.
    private static let interval = Duration.milliseconds(500)
    /// How many files are looked at each time; of more, some of them wait for the next.
    private static let maximumFilesPerCheck = 1_000

    /// Makes a reloader for the servers whose accessories come from files; `nil` when there is none.
    init?(_ servers: [RunningServer], _ printer: LinePrinter, simulation stage: CurrentSimulationServers? = nil) {
        serverIndices = servers.indices.filter { servers[$0].accessory.file != nil }
        self.simulation = stage
        self.servers = servers.filter { $0.accessory.file != nil }
        files = servers.compactMap(\.accessory.file)
        self.printer = printer
        guard !files.isEmpty else { return nil }
    }

    /// Looks again and again, until the surrounding task is cancelled.
    mutating func run() async {
        while (try? await Task.sleep(for: Self.interval)) != nil {
            await checkFiles()
        }
    }

    private mutating func checkFiles() async {
        var budget = Self.maximumFilesPerCheck
        for _ in files.indices where budget > 0 && !Task.isCancelled {
            let paths = files[nextIndex].changeDetector.paths
            if files[nextIndex].changeDetector.shouldReload(paths.map { FileStamp(path: $0) }) {
                await reload(nextIndex)
            }
            budget -= paths.count
            nextIndex = (nextIndex + 1) % files.count
        }
    }

    private mutating func reload(_ index: Int) async {
        let served = files[index]
        let started = servers[index].accessory.file?.document ?? served.document
        // A signal ends the server without it.
        let reading = await UninterruptibleWork.run {
            let source = SourceContents(served.path)
            var file = served
            file.changeDetector = FileChangeDetector(source.files)
            return (file.changeDetector, ReloadResult(of: file, startedWith: started, source.servableResult))
        }
        guard let (watch, reload) = reading else { return }
        files[index].changeDetector = watch
        for line in reload.lines {
            printLine(line, of: index)
        }
        guard let file = reload.file else { return }
        do throws(ServerError) {
            let outcome = try await servers[index].replace(files[index], with: file)
            files[index] = file
            await simulation?.replaceAccessories(with: file.accessories, at: serverIndices[index])
            for note in reload.notes {
                printLine(note, of: index)
            }
            printLine("\(file.path) reloaded, c# \(outcome)", of: index)
        } catch {
            for reason in error.reason.split(separator: "\n") {
                printLine("\(file.path): \(reason)", of: index)
            }
            printLine("\(file.path) is not reloaded; what was served before stays.", of: index)
        }
    }

    private func printLine(_ line: String, of index: Int) {
        printer.printLine("\(servers[index].accessory.name): \(line)".printable)
    }
}
