internal import AccessoryFiles
internal import AsyncPrimitives
internal import Documents
internal import HAPServer

/// The files of the servers of a host.
///
/// An edited file is reloaded. A file that is added to the folder of definitions gets a server, and a deleted one loses
/// it.
///
/// Changes are made one after the other, whether they are found on disk or requested through the API.
package actor ServedFiles {
    nonisolated let host: AccessoryHost
    /// The folder of definitions, or `nil` without one.
    package nonisolated let folder: AccessoryFolder?
    let turns = TurnLock()
    /// The files of the folder, by name.
    var files: [DefinitionFileName: FolderFile]
    /// The detectors of the folder's files, also of those that have just appeared.
    var detectors: [DefinitionFileName: FileChangeDetector]
    /// The valid contents of the folder that are not served yet.
    var waiting: [FolderItem: WaitingContent] = [:]
    /// The last listing of the folder.
    var listing: FolderListing?
    /// Whether the folder is missing, so that the servers continue with what was read.
    var isFolderMissing = false
    /// The detectors of the other files that were read again, by the numbers of their servers.
    private var otherDetectors: [HostedServer.ID: FileChangeDetector] = [:]
    /// The number of the server whose file was checked last.
    private var lastChecked: HostedServer.ID = -1

    /// The time between two checks.
    private static let interval = Duration.milliseconds(500)
    /// The maximum number of files in one check.
    ///
    /// If there are more, some of them wait for the next check.
    private static let maximumFilesPerCheck = 1_000

    /// Creates the files of a host.
    ///
    /// - Parameter files: The files of the folder that were read at the start.
    package init(_ host: AccessoryHost, _ folder: AccessoryFolder?, _ files: [DefinitionFileName: FolderFile]) {
        self.host = host
        self.folder = folder
        self.files = files
        detectors = files.mapValues(\.changeDetector)
        for (name, file) in files {
            for (index, own) in file.ownReadings.enumerated() {
                guard case (.success, .failure) = (own, file.readings[index]) else { continue }
                waiting[file.item(index, of: name)] = .forOtherFiles
            }
        }
    }

    /// Checks the files repeatedly until the surrounding task is canceled.
    package func run() async {
        guard folder != nil || host.servers.contains(where: { $0.content.file != nil }) else { return }
        while (try? await Task.sleep(for: Self.interval)) != nil {
            await check()
        }
    }

    /// Checks the files once.
    package func check() async {
        await turns.acquire()
        defer { turns.release() }
        let hasReloaded = await checkFiles()
        await checkFolder()
        await serveWaitingContents(afterChange: hasReloaded)
    }

    /// Returns the server of a device in the folder.
    func server(of item: FolderItem) -> HostedServer? {
        host.servers.first { $0.content.file?.item == item }
    }

    /// Checks the files that are not in the folder, and returns whether one was reloaded.
    private func checkFiles() async -> Bool {
        var hasReloaded = false
        var budget = Self.maximumFilesPerCheck
        let servers = host.servers.filter { server in server.content.file.map { $0.item == nil } ?? false }
        // Begins after the file that was checked last.
        let next = servers.firstIndex { $0.id > lastChecked } ?? 0
        for server in servers[next...] + servers[..<next] where budget > 0 && !Task.isCancelled {
            guard let file = server.content.file else { continue }
            lastChecked = server.id
            var detector = otherDetectors[server.id] ?? file.changeDetector
            let mustReload = detector.shouldReload(detector.paths.map { FileStamp(path: $0) })
            otherDetectors[server.id] = detector
            if mustReload {
                await reload(server, file)
                hasReloaded = true
            }
            budget -= detector.paths.count
        }
        return hasReloaded
    }

    private func reload(_ server: HostedServer, _ file: HostedContent.File) async {
        // A signal ends the server without waiting for the reading.
        let reading = await UninterruptibleWork.run {
            let source = SourceContents(NamedFile(file.path, namedBy: file.origin))
            let detector = FileChangeDetector(source.files)
            return (detector, ReloadResult(of: file, detector, source.servableResult))
        }
        guard let (detector, reload) = reading else { return }
        otherDetectors[server.id] = detector
        for line in reload.lines {
            report(line, of: server)
        }
        if let file = reload.file { _ = await replace(server, with: file, notes: reload.notes) }
    }

    /// Serves a new version of a file with the same server.
    ///
    /// - Parameter known: The reason that was reported the last time, which is not repeated.
    /// - Returns: The reason why the old version stays, or `nil` if the new one is served.
    func replace(
        _ server: HostedServer,
        with file: HostedContent.File,
        notes: [String] = [],
        unlessReported known: String? = nil
    ) async -> String? {
        var content = server.content
        content.file = file
        content.accessories = file.accessories
        content.drivers = file.document.drivers
        content.database = nil
        do throws(ServerError) {
            let number = try await host.replace(server.id, with: content)
            for note in notes {
                report(note, of: server)
            }
            report("\(file.path) reloaded, c# \(number)", of: server)
            return nil
        } catch {
            guard error.reason != known else { return known }
            for reason in error.reason.split(separator: "\n") {
                report("\(file.path): \(reason)", of: server)
            }
            report("\(file.path) is not reloaded; the previous version stays.", of: server)
            return error.reason
        }
    }

    func report(_ line: String, of server: HostedServer) {
        report("\(server.name): \(line)")
    }

    func report(_ line: String) {
        host.report(.event(line))
    }
}
