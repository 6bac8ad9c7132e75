internal import AccessoryFiles
internal import Documents
internal import HAPCore
internal import HAPServer

/// The servers of the files in the folder of definitions.
extension ServedFiles {
    /// Starts, reloads and ends the servers of a file so that they serve its content.
    ///
    /// - Parameter sources: The devices in the file, or `nil` if the file does not exist.
    /// - Returns: The reasons why a valid content is not served.
    @discardableResult
    func apply(_ sources: [SourceContents]?, of name: DefinitionFileName) async -> [String] {
        let isNew = files[name] == nil
        var file = FolderFile(sources ?? [])
        let items = file.sources.indices.map { file.item($0, of: name) }
        waiting = waiting.filter { $0.key.file != name }
        for server in host.servers {
            guard let item = server.content.file?.item, item.file == name, !items.contains(item) else { continue }
            await stop(server)
        }
        var failures: [String] = []
        for index in items.indices {
            file.readings[index] = checked(file.ownReadings[index], items[index])
            let failure = await serve(file.readings[index], file.sources[index], as: items[index])
            if let failure { failures.append(failure) }
        }
        files[name] = sources == nil ? nil : file
        detectors[name] = sources == nil ? nil : file.changeDetector
        let change = sources == nil ? "was deleted" : isNew ? "was added" : "was changed"
        let errors = file.readings.reduce(0) { sum, reading in
            guard case .failure(let error) = reading else { return sum }
            return sum + error.diagnostics.count { $0.severity == .error }
        }
        let end = errors == 0 ? "." : errors == 1 ? ", and has an error." : ", and has \(errors) errors."
        host.report(.fileChanged(name, "\(name) \(change)\(end)"))
        // Another file may have waited for an identifier of this one.
        await serveWaitingContents(afterChange: true)
        return failures
    }

    /// Serves the contents that were valid, but could not be served before.
    ///
    /// After a server could not start, the others that could not start are left for the next call.
    ///
    /// - Parameter afterChange: Whether another file has changed, so that it may no longer have their identifiers.
    func serveWaitingContents(afterChange: Bool) async {
        var mustRepeat = true
        while mustRepeat, !Task.isCancelled {
            mustRepeat = false
            for item in waiting.due(afterChange: afterChange, at: .now) {
                guard let content = waiting[item] else { continue }
                guard let file = files[item.file], let index = file.index(of: item) else {
                    waiting[item] = nil
                    continue
                }
                let reading = checked(file.ownReadings[index], item)
                files[item.file]?.readings[index] = reading
                guard case .success = reading else { continue }
                // The identifiers of its previous version are free now.
                let isServed = await serve(reading, file.sources[index], as: item) == nil
                mustRepeat = mustRepeat || isServed && (afterChange || content.reason != nil)
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
        if !errors.isEmpty { waiting[item] = .forOtherFiles }
        return errors.isEmpty ? reading : .failure(DocumentError(contents.warnings + errors))
    }

    /// Returns the errors about identifiers that other files have, too, and about programs that the file may not run.
    ///
    /// - Parameter isOwn: Whether an item is the one of the content.
    func conflicts(
        of document: AccessoryDocument,
        in name: DefinitionFileName,
        _ isOwn: (FolderItem) -> Bool
    ) -> [Diagnostic] {
        var owners = ClaimedIdentifiers()
        for server in host.servers {
            guard let file = server.content.file, !(file.item.map(isOwn) ?? false) else { continue }
            // A waiting file claims its new identifiers, not those of its server, so that two files can exchange theirs.
            let document = file.item.flatMap(waitingDocument) ?? server.identifiedDocument
            _ = document.map { owners.claim($0, for: file.item?.file.text ?? file.path, .error) }
        }
        return owners.claim(document, for: name.text, .error) + programErrors(of: document, in: name.text)
    }

    /// Returns the content of an item that is not served yet; `nil` if it does not wait.
    private func waitingDocument(_ item: FolderItem) -> AccessoryDocument? {
        guard waiting[item] != nil, let file = files[item.file],
            let index = file.index(of: item),
            case .success(let contents) = file.ownReadings[index]
        else { return nil }
        return contents.document
    }

    /// Ends the servers of waiting files that still have identifiers of a content.
    private func endServers(withIdentifiersOf document: AccessoryDocument, except item: FolderItem) async {
        for server in host.servers {
            guard let other = server.content.file?.item, other != item, waiting[other] != nil,
                let claimed = server.identifiedDocument
            else { continue }
            var owners = ClaimedIdentifiers()
            _ = owners.claim(claimed, for: other.file.text, .error)
            if !owners.claim(document, for: item.file.text, .error).isEmpty { await stop(server) }
        }
    }

    /// Serves the content of a file.
    ///
    /// - Returns: The reason why a valid content is not served.
    private func serve(
        _ reading: Result<AccessoryFileContents, DocumentError>,
        _ source: SourceContents,
        as item: FolderItem
    ) async -> String? {
        switch reading {
        case .failure(let error):
            for diagnostic in error.diagnostics { report(diagnostic.line) }
            report(
                server(of: item) == nil
                    ? "\(source.name) is not served; when it is corrected, it is served at once."
                    : "\(source.name) is not reloaded; the previous version stays."
            )
            return nil
        case .success(let contents):
            await endServers(withIdentifiersOf: contents.document, except: item)
            let known = waiting[item]?.reason
            let failure = await serve(contents, source, as: item, unlessReported: known)
            waiting[item] = failure.map { (waiting[item] ?? .forOtherFiles).failing($0, at: .now) }
            return failure
        }
    }

    private func serve(
        _ contents: AccessoryFileContents,
        _ source: SourceContents,
        as item: FolderItem,
        unlessReported known: String?
    ) async -> String? {
        var content = HostedContent(
            contents,
            source,
            host.settings.simulation,
            host.settings.seed ?? 0,
            in: item
        )
        guard let server = server(of: item), let old = server.content.file?.document else {
            return await start(content, unlessReported: known)
        }
        guard contents.document != old else { return nil }
        for warning in contents.warnings where known == nil { report(warning.line, of: server) }
        if contents.document.needsNewServer(after: old) {
            await stop(server)
            return await start(content, unlessReported: known)
        }
        content.file?.startDocument = server.content.file?.startDocument ?? old
        guard let file = content.file else { return nil }
        return await replace(server, with: file, unlessReported: known)
    }

    /// - Parameter known: The reason that was reported the last time, which is not repeated.
    private func start(_ content: HostedContent, unlessReported known: String?) async -> String? {
        let path = content.file?.path ?? content.key
        do throws(HostError) {
            let information = try await host.add(content).information
            report(
                "\(content.name): \(path) is served on port \(information.port)"
                    + (information.isPaired ? "." : "; its setup code is \(information.setupCode.text).")
            )
            return nil
        } catch {
            if error.message != known {
                report("\(content.name): \(path) is not served: \(error.message) It is tried again.")
            }
            return error.message
        }
    }

    private func stop(_ server: HostedServer) async {
        await host.remove(server.id)
        report("\(server.name): no longer served.")
    }
}

extension HostedServer {
    /// The document of its file with the device ID of the server, which comes from its state; `nil` without a file.
    fileprivate var identifiedDocument: AccessoryDocument? {
        var document = content.file?.document
        document?.deviceID = information.deviceID
        return document
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

/// A valid content that is not served yet: another file has one of its identifiers, or its server could not start.
struct WaitingContent: Sendable {
    /// A content that waits until another file is changed or deleted.
    static let forOtherFiles = WaitingContent()

    private static let firstDelay = Duration.seconds(1)
    private static let longestDelay = Duration.seconds(60)

    /// Why its server could not start.
    private(set) var reason: String?
    private var delay = firstDelay
    /// The time of the next attempt, or `nil` if it waits for another file.
    private var next: ContinuousClock.Instant?

    /// Returns the content after another attempt has failed.
    func failing(_ reason: String, at now: ContinuousClock.Instant) -> WaitingContent {
        var failed = self
        failed.reason = reason
        failed.next = now.advanced(by: delay)
        failed.delay = min(delay * 2, Self.longestDelay)
        return failed
    }

    /// Whether it waits for another file.
    fileprivate var isForOtherFiles: Bool { next == nil }

    /// Returns for how long an attempt to start its server is overdue, or `nil` if it is not due.
    fileprivate func delay(at now: ContinuousClock.Instant) -> Duration? {
        next.flatMap { now >= $0 ? $0.duration(to: now) : nil }
    }
}

extension [FolderItem: WaitingContent] {
    /// Returns the items to try now: after a change those that wait for other files, and the one whose server should
    /// have been started first.
    ///
    /// The reason why a server cannot start mostly applies to all of them, and an attempt takes milliseconds, so they
    /// are not all tried at once.
    func due(afterChange: Bool, at now: ContinuousClock.Instant) -> [FolderItem] {
        let others = afterChange ? filter(\.value.isForOtherFiles).keys.sorted() : []
        let overdue = compactMap { item, content in content.delay(at: now).map { (item: item, delay: $0) } }
        // Of equal delays, the item that comes first counts.
        let first = overdue.max { $0.delay == $1.delay ? $0.item > $1.item : $0.delay < $1.delay }
        return others + [first?.item].compactMap(\.self)
    }
}
