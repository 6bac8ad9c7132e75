import HAPServer
import SimulationRuntime

/// Serves anew what is edited while it is served.
struct FileReloader: Sendable {
    private let servers: [RunningServer]
    /// The servers' places among all of them.
    private let places: [Int]
    private var files: [ServedFile]
    private let printer: LinePrinter
    /// Where names follow what is served.
    private let stage: CurrentStage?
    /// Where the next look begins.
    private var next = 0

    /// The time between two looks.
    private static let interval = Duration.milliseconds(500)
    /// How many files are looked at each time; of more, some of them wait for the next.
    private static let filesAtOnce = 1_000

    /// Makes a reloader for the servers whose accessories come from files; `nil` when there is none.
    init?(_ servers: [RunningServer], _ printer: LinePrinter, onto stage: CurrentStage? = nil) {
        places = servers.indices.filter { servers[$0].served.file != nil }
        self.stage = stage
        self.servers = servers.filter { $0.served.file != nil }
        files = servers.compactMap(\.served.file)
        self.printer = printer
        guard !files.isEmpty else { return nil }
    }

    /// Looks again and again, until the surrounding task is cancelled.
    mutating func run() async {
        while (try? await Task.sleep(for: Self.interval)) != nil {
            await look()
        }
    }

    private mutating func look() async {
        var budget = Self.filesAtOnce
        for _ in files.indices where budget > 0 && !Task.isCancelled {
            let paths = files[next].watch.paths
            if files[next].watch.look(paths.map { FileStamp(path: $0) }) {
                await reload(next)
            }
            budget -= paths.count
            next = (next + 1) % files.count
        }
    }

    private mutating func reload(_ index: Int) async {
        let served = files[index]
        let started = servers[index].served.file?.document ?? served.document
        // A signal ends the server without it.
        let reading = await AbandonableWork.run {
            let source = SourceReading(served.path)
            var file = served
            file.watch = FileWatch(source.files)
            return (file.watch, FileReload(of: file, startedWith: started, source.servable))
        }
        guard let (watch, reload) = reading else { return }
        files[index].watch = watch
        for line in reload.lines {
            say(line, of: index)
        }
        guard let file = reload.file else { return }
        do throws(ServerError) {
            let outcome = try await servers[index].replace(files[index], with: file)
            files[index] = file
            await stage?.serve(file.accessories, at: places[index])
            for note in reload.notes {
                say(note, of: index)
            }
            say("\(file.path) reloaded, c# \(outcome)", of: index)
        } catch {
            for reason in error.reason.split(separator: "\n") {
                say("\(file.path): \(reason)", of: index)
            }
            say("\(file.path) is not reloaded; what was served before stays.", of: index)
        }
    }

    private func say(_ line: String, of index: Int) {
        printer.line("\(servers[index].served.name): \(line)".printable)
    }
}
