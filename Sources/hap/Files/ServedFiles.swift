import AccessoryFiles
import AsyncPrimitives
import Documents
import HAPServer
import Hosting
import WebConsole

/// The served files.
///
/// An edited file is reloaded. A file that is added to the folder of definitions gets a server, and a deleted one loses
/// it.
///
/// Changes are made one after the other, whether they are found on disk or requested through the API.
actor ServedFiles {
    /// A server whose accessories come from a file.
    struct Entry {
        let server: RunningServer
        var file: ServedFile

        var item: FolderItem? { server.accessory.item }

        /// The document with the device ID of the server, which comes from its state.
        var documentOfServer: AccessoryDocument {
            var document = file.document
            document.deviceID = server.information.deviceID
            return document
        }
    }

    /// The parts of the process that change with the servers.
    struct Process: Sendable {
        let fleet: ServerFleet
        let console: Console
        let simulation: CurrentSimulationServers
        /// Is called after servers were added or removed.
        let onChange: @Sendable () async -> Void
    }

    let settings: ServeSettings
    /// The folder of definitions, or `nil` without one.
    nonisolated let folder: AccessoryFolder?
    let turns = TurnLock()
    var entries: [Entry] = []
    /// The files of the folder, by name.
    var files: [DefinitionFileName: FolderFile]
    /// The detectors of the folder's files, also of those that have just appeared.
    var detectors: [DefinitionFileName: FileChangeDetector] = [:]
    /// The process, once it runs.
    var process: Process?
    /// The valid contents of the folder that are not served yet.
    var waiting: [FolderItem: WaitingContent] = [:]
    /// The last listing of the folder.
    var listing: FolderListing?
    /// Whether the folder is missing, so that the servers continue with what was read.
    var isFolderMissing = false
    private let printer: LinePrinter
    /// The index of the first entry of the next check.
    private var nextIndex = 0

    /// The time between two checks.
    private static let interval = Duration.milliseconds(500)
    /// The maximum number of files in one check.
    ///
    /// If there are more, some of them wait for the next check.
    private static let maximumFilesPerCheck = 1_000

    /// Creates the files of a process.
    ///
    /// - Parameter files: The files of the folder that were read at the start.
    init(
        _ settings: ServeSettings,
        _ folder: AccessoryFolder?,
        _ files: [DefinitionFileName: FolderFile],
        _ printer: LinePrinter
    ) {
        self.settings = settings
        self.folder = folder
        self.files = files
        self.printer = printer
        detectors = files.mapValues(\.changeDetector)
        for (name, file) in files {
            for (index, own) in file.ownReadings.enumerated() {
                guard case (.success, .failure) = (own, file.readings[index]) else { continue }
                waiting[file.item(index, of: name)] = .forOtherFiles
            }
        }
    }

    /// Begins with the servers that were started.
    func begin(_ process: Process) {
        self.process = process
        entries = process.fleet.servers.compactMap { server in
            server.accessory.file.map { Entry(server: server, file: $0) }
        }
    }

    /// Checks the files repeatedly until the surrounding task is canceled.
    func run() async {
        guard folder != nil || !entries.isEmpty else { return }
        while (try? await Task.sleep(for: Self.interval)) != nil {
            await turns.acquire()
            let hasReloaded = await checkFiles()
            await checkFolder()
            await serveWaitingContents(afterChange: hasReloaded)
            turns.release()
        }
    }

    /// Checks the files that are not in the folder, and returns whether one was reloaded.
    private func checkFiles() async -> Bool {
        var hasReloaded = false
        var budget = Self.maximumFilesPerCheck
        for _ in entries.indices where budget > 0 && !Task.isCancelled {
            nextIndex = (nextIndex + 1) % entries.count
            guard entries[nextIndex].item == nil else { continue }
            let paths = entries[nextIndex].file.changeDetector.paths
            if entries[nextIndex].file.changeDetector.shouldReload(paths.map { FileStamp(path: $0) }) {
                await reload(nextIndex)
                hasReloaded = true
            }
            budget -= paths.count
        }
        return hasReloaded
    }

    private func reload(_ index: Int) async {
        let served = entries[index].file
        let started = entries[index].server.accessory.file?.document ?? served.document
        // A signal ends the server without waiting for the reading.
        let reading = await UninterruptibleWork.run {
            let source = SourceContents(NamedFile(served.path, namedBy: served.origin))
            var file = served
            file.changeDetector = FileChangeDetector(source.files)
            return (file.changeDetector, ReloadResult(of: file, startedWith: started, source.servableResult))
        }
        guard let (watch, reload) = reading else { return }
        entries[index].file.changeDetector = watch
        for line in reload.lines {
            printLine(line, of: index)
        }
        if let file = reload.file { _ = await replace(index, with: file, notes: reload.notes) }
    }

    /// Serves a new version of a file with the same server.
    ///
    /// - Parameter known: The reason that was printed the last time, which is not repeated.
    /// - Returns: The reason why the old version stays, or `nil` if the new one is served.
    func replace(
        _ index: Int,
        with file: ServedFile,
        notes: [String] = [],
        unlessReported known: String? = nil
    ) async -> String? {
        let server = entries[index].server
        do throws(ServerError) {
            let outcome = try await server.replace(entries[index].file, with: file)
            entries[index].file = file
            await process?.simulation.replaceAccessories(with: file.accessories, of: server.server)
            for note in notes {
                printLine(note, of: index)
            }
            printLine("\(file.path) reloaded, c# \(outcome)", of: index)
            return nil
        } catch {
            guard error.reason != known else { return known }
            for reason in error.reason.split(separator: "\n") {
                printLine("\(file.path): \(reason)", of: index)
            }
            printLine("\(file.path) is not reloaded; the previous version stays.", of: index)
            return error.reason
        }
    }

    func printLine(_ line: String, of index: Int) {
        printLine("\(entries[index].server.accessory.name): \(line)")
    }

    func printLine(_ line: String) {
        printer.printEvent(line.printable)
    }
}
