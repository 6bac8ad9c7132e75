import HAPServer
import SimulationRuntime

/// A reloader of files that are edited while they are served.
struct FileReloader: Sendable {
    private let servers: [RunningServer]
    /// For each element of ``servers``, its index among all servers of the process.
    private let serverIndices: [Int]
    private var files: [ServedFile]
    private let printer: LinePrinter
    /// The objects that the prompt and scenarios act on.
    ///
    /// They are updated after a reload.
    private let simulation: CurrentSimulationServers?
    /// The index of the first file of the next check.
    private var nextIndex = 0

    /// The time between two checks.
    private static let interval = Duration.milliseconds(500)
    /// The maximum number of files in one check.
    ///
    /// If there are more, some of them wait for the next check.
    private static let maximumFilesPerCheck = 1_000

    /// Creates a reloader for the servers whose accessories come from files, or returns `nil` if there are none.
    init?(_ servers: [RunningServer], _ printer: LinePrinter, simulation stage: CurrentSimulationServers? = nil) {
        serverIndices = servers.indices.filter { servers[$0].accessory.file != nil }
        self.simulation = stage
        self.servers = servers.filter { $0.accessory.file != nil }
        files = servers.compactMap(\.accessory.file)
        self.printer = printer
        guard !files.isEmpty else { return nil }
    }

    /// Checks the files repeatedly until the surrounding task is canceled.
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
        // A signal ends the server without waiting for the reading.
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
            printLine("\(file.path) is not reloaded; the previous version stays.", of: index)
        }
    }

    private func printLine(_ line: String, of index: Int) {
        printer.printLine("\(servers[index].accessory.name): \(line)".printable)
    }
}
