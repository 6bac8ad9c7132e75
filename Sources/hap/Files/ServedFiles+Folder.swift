import AccessoryFiles
import Documents
import HAPCore
import HAPServer
import WebConsole

/// The servers of the files in the folder of definitions.
extension ServedFiles {
    /// Looks for files that were added, changed or deleted by other programs.
    func checkFolder() async {
        guard let folder, let names = await UninterruptibleWork.run({ folder.names }) else { return }
        let present = Set(names)
        detectors = detectors.filter { present.contains($0.key) || files[$0.key] != nil }
        for name in present.union(files.keys).sorted() where !Task.isCancelled {
            guard let path = try? folder.path(of: name) else { continue }
            var detector = detectors[name] ?? FileChangeDetector([(path, nil)])
            let mustReload = detector.shouldReload(detector.paths.map { FileStamp(path: $0) })
            detectors[name] = detector
            guard mustReload, let sources = await UninterruptibleWork.run({ folder.read(name) }) else { continue }
            await apply(sources, of: name)
        }
    }

    /// Starts, reloads and ends the servers of a file so that they serve its content.
    ///
    /// - Parameter sources: The devices in the file, or `nil` if the file does not exist.
    /// - Returns: The reasons why a valid content is not served.
    @discardableResult
    func apply(_ sources: [SourceContents]?, of name: DefinitionFileName) async -> [String] {
        let isNew = files[name] == nil
        var file = FolderFile(sources ?? [])
        let items = file.sources.indices.map { file.item($0, of: name) }
        for entry in entries where entry.item?.file == name && !items.contains(where: { $0 == entry.item }) {
            await stop(entry)
        }
        var failures: [String] = []
        for index in items.indices {
            file.readings[index] = checked(file.readings[index], items[index])
            let failure = await serve(file.readings[index], file.sources[index], as: items[index])
            if let failure { failures.append(failure) }
        }
        files[name] = sources == nil ? nil : file
        detectors[name] = sources == nil ? nil : file.changeDetector
        if hasStoppedServers {
            hasStoppedServers = false
            await serveWaitingFiles()
        }
        let change = sources == nil ? "was deleted" : isNew ? "was added" : "was changed"
        let errors = file.readings.reduce(0) { sum, reading in
            guard case .failure(let error) = reading else { return sum }
            return sum + error.diagnostics.count { $0.severity == .error }
        }
        let end = errors == 0 ? "." : errors == 1 ? ", and has an error." : ", and has \(errors) errors."
        process?.console.journal
            .append(.definitionChanged(file: name.text, message: "\(name) \(change)\(end)".printable))
        return failures
    }

    /// Serves the files that were valid, but had an identifier of a file that is no longer served.
    private func serveWaitingFiles() async {
        for (name, file) in files.sorted(by: { $0.key < $1.key }) {
            for index in file.sources.indices {
                let item = file.item(index, of: name)
                guard !entries.contains(where: { $0.item == item }) else { continue }
                let reading = checked(file.sources[index].servableResult, item)
                guard case .success = reading else { continue }
                files[name]?.readings[index] = reading
                _ = await serve(reading, file.sources[index], as: item)
            }
        }
    }

    /// Returns a content, or the errors because of which it cannot be served together with the other files.
    private func checked(
        _ reading: Result<AccessoryFileContents, DocumentError>,
        _ item: FolderItem
    ) -> Result<AccessoryFileContents, DocumentError> {
        guard case .success(let contents) = reading else { return reading }
        let errors = conflicts(of: contents.document, in: item.file) { $0 == item }
        return errors.isEmpty ? reading : .failure(DocumentError(contents.warnings + errors))
    }

    /// Returns the errors about identifiers that other files have, too.
    ///
    /// - Parameter isOwn: Whether an item is the one of the content.
    func conflicts(
        of document: AccessoryDocument,
        in name: DefinitionFileName,
        _ isOwn: (FolderItem) -> Bool
    ) -> [Diagnostic] {
        var owners = ClaimedIdentifiers()
        for entry in entries where !(entry.item.map(isOwn) ?? false) {
            _ = owners.claim(entry.file.document, for: entry.item?.file.text ?? entry.file.path, .error)
        }
        return owners.claim(document, for: name.text, .error)
    }

    /// Serves the content of a file.
    ///
    /// - Returns: The reason why a valid content is not served.
    private func serve(
        _ reading: Result<AccessoryFileContents, DocumentError>,
        _ source: SourceContents,
        as item: FolderItem
    ) async -> String? {
        let index = entries.firstIndex { $0.item == item }
        switch reading {
        case .failure(let error):
            for diagnostic in error.diagnostics { printLine(diagnostic.line) }
            printLine(
                index == nil
                    ? "\(source.name) is not served; when it is corrected, it is served at once."
                    : "\(source.name) is not reloaded; the previous version stays."
            )
            return nil
        case .success(let contents):
            var accessory = ServedAccessory(contents, source, settings.simulation, settings.seed ?? 0)
            accessory.item = item
            guard let index, let file = accessory.file else { return await start(accessory) }
            let old = entries[index].file.document
            guard contents.document != old else { return nil }
            for warning in contents.warnings { printLine(warning.line, of: index) }
            guard contents.document.needsNewServer(after: old) else { return await replace(index, with: file) }
            await stop(entries[index])
            return await start(accessory)
        }
    }

    private func start(_ accessory: ServedAccessory) async -> String? {
        guard let process, let file = accessory.file else { return nil }
        do throws(CommandFailure) {
            let server = try await process.fleet.add(accessory, to: process.console, process.simulation)
            entries.append(Entry(server: server, file: file))
            let information = server.information
            printLine(
                "\(accessory.name): \(file.path) is served on port \(information.port)"
                    + (information.isPaired ? "." : "; its setup code is \(information.setupCode.text).")
            )
            await process.onChange()
            return nil
        } catch {
            printLine("\(accessory.name): \(file.path) is not served: \(error.message)")
            return error.message
        }
    }

    private func stop(_ entry: Entry) async {
        guard let process else { return }
        hasStoppedServers = true
        entries.removeAll { $0.server.server === entry.server.server }
        await process.fleet.remove(entry.server, from: process.console, process.simulation)
        printLine("\(entry.server.accessory.name): no longer served.")
        await process.onChange()
    }
}

extension AccessoryDocument {
    /// Whether the change of a document takes effect only with a new server: the properties under which it is announced
    /// and paired are those of its start.
    fileprivate func needsNewServer(after old: AccessoryDocument) -> Bool {
        key != old.key || name != old.name || category != old.category || setupCode != old.setupCode
            || isVerbatim != old.isVerbatim
    }
}
