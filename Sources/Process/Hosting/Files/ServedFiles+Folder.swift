/// The folder of definitions on disk.
extension ServedFiles {
    /// Looks for files that were added, changed or deleted by other programs.
    func checkFolder() async {
        guard let folder else { return }
        let (known, last) = (Set(files.keys), listing)
        guard let listing = await UninterruptibleWork.run({ folder.listing(keeping: known, since: last) }),
            let present = presentFiles(in: listing)
        else { return }
        detectors = detectors.filter { present.contains($0.key) || files[$0.key] != nil }
        for name in present.union(files.keys).sorted() where !Task.isCancelled {
            guard let path = try? folder.path(of: name) else { continue }
            var detector = detectors[name] ?? FileChangeDetector([(path, nil)])
            let isPresent = present.contains(name)
            let mustReload = detector.shouldReload(detector.paths.map { isPresent ? FileStamp(path: $0) : nil })
            detectors[name] = detector
            guard mustReload else { continue }
            guard isPresent else {
                await apply(nil, of: name)
                continue
            }
            // A file that is deleted just now is missing in the next listing.
            guard let sources = await UninterruptibleWork.run({ folder.read(name) }), let sources else { continue }
            await apply(sources, of: name)
        }
    }

    /// Returns the files of a listing, or `nil` if the folder is missing; reports when this changes.
    ///
    /// A folder is missing, too, if it was replaced by an empty one, as when a file system is not mounted.
    private func presentFiles(in listing: FolderListing?) -> Set<DefinitionFileName>? {
        let identity = self.listing?.identity ?? folder?.identity
        guard let listing, listing.identity == identity || !listing.names.isEmpty || files.isEmpty else {
            reportFolder(isMissing: true)
            return nil
        }
        reportFolder(isMissing: false)
        if let text = listing.omissionText, text != self.listing?.omissionText { report(text) }
        self.listing = listing
        return Set(listing.names)
    }

    private func reportFolder(isMissing: Bool) {
        guard isMissing != isFolderMissing, let folder else { return }
        isFolderMissing = isMissing
        let text = isMissing ? Self.missingText(folder) : "The folder \(folder.path) is back."
        report(text)
        host.report(.folderChanged(text))
    }

    static func missingText(_ folder: AccessoryFolder) -> String {
        "The folder \(folder.path) is missing; its accessories are served as they were read until it is back."
    }

    /// Looks for the folder now.
    ///
    /// - Throws: ``DefinitionFolderError`` if it is missing.
    func checkPresence(of folder: AccessoryFolder) async throws(DefinitionFolderError) {
        let (known, last) = (Set(files.keys), listing)
        let current = await DiskWork.run { folder.listing(keeping: known, since: last) }
        guard presentFiles(in: current) != nil else { throw .refused(Self.missingText(folder)) }
    }
}
