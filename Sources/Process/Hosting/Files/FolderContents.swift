package import AccessoryFiles
package import Documents
internal import Glibc

/// A file in the folder of definitions, or one of the devices that the file contains.
package struct FolderItem: Sendable, Hashable, Comparable {
    /// The name of the file without the folder.
    package let file: DefinitionFileName
    /// The device ID, or `nil` if the file contains only one device.
    package let device: String?

    package static func < (left: FolderItem, right: FolderItem) -> Bool {
        (left.file, left.device ?? "") < (right.file, right.device ?? "")
    }
}

/// A file of the folder as it was read last.
package struct FolderFile: Sendable {
    /// The devices in the file, usually one.
    package let sources: [SourceContents]
    /// What each device would serve if there were no other files.
    package let ownReadings: [Result<AccessoryFileContents, DocumentError>]
    /// What each device would serve, or the errors because of which it is not served.
    package var readings: [Result<AccessoryFileContents, DocumentError>]

    package init(_ sources: [SourceContents]) {
        self.sources = sources
        ownReadings = sources.map(\.servableResult)
        readings = ownReadings
    }

    /// The bytes of the file.
    package var bytes: [UInt8] { sources.first?.bytes ?? [] }

    /// Detects changes of the file and of those that it includes.
    package var changeDetector: FileChangeDetector { FileChangeDetector(sources.first?.files ?? []) }

    /// The content for the API: that of the first device, or the errors.
    package var reading: Result<AccessoryFileContents, DocumentError> {
        readings.first ?? .failure(DocumentError([]))
    }

    /// Returns the item of a device.
    package func item(_ index: Int, of name: DefinitionFileName) -> FolderItem {
        let device = AccessoryFileArgument(sources[index].name).device
        return FolderItem(file: name, device: sources.count > 1 ? device : nil)
    }

    /// Returns the index of the device of an item, or `nil` if the file no longer contains it.
    package func index(of item: FolderItem) -> Int? {
        sources.indices.first { self.item($0, of: item.file) == item }
    }
}

/// The files of the folder at the start of the program.
package struct FolderContents: Sendable {
    package private(set) var files: [DefinitionFileName: FolderFile] = [:]
    /// The accessories to serve: those that were named on the command line, then those of the folder.
    package private(set) var accessories: [HostedContent]
    /// The errors and warnings to print.
    package private(set) var lines: [String] = []

    /// Reads the files of a folder.
    ///
    /// A file with errors is not served, and does not prevent the start.
    ///
    /// - Parameters:
    ///   - named: The accessories that are named on the command line, also those in the folder.
    ///   - simulation: Whether values are simulated, or `nil` for the default of each file.
    ///   - seed: The seed of the random numbers.
    ///   - allowsCommands: Whether any file may run programs.
    package init(
        of folder: AccessoryFolder,
        besides named: [HostedContent],
        _ simulation: SimulationMode?,
        seed: UInt64,
        allowsCommands: Bool = false
    ) {
        accessories = named.map { $0.located(in: folder) }
        var owners = ClaimedIdentifiers()
        for accessory in accessories {
            guard let file = accessory.file else { continue }
            _ = owners.claim(file.document, for: file.path, .error)
        }
        let listing = folder.listing()
        for name in listing?.names ?? [] {
            guard let sources = folder.read(name) else { continue }
            var file = FolderFile(sources)
            for index in sources.indices {
                let item = file.item(index, of: name)
                guard !accessories.contains(where: { $0.file?.item == item }) else { continue }
                if case .success(let contents) = file.readings[index] {
                    let name = sources[index].name
                    let errors =
                        owners.claim(contents.document, for: name, .error)
                        + (allowsCommands ? [] : contents.document.programErrors(in: name, isNamed: false))
                    if !errors.isEmpty { file.readings[index] = .failure(DocumentError(contents.warnings + errors)) }
                }
                lines += file.readings[index].diagnostics.map(\.line)
                switch file.readings[index] {
                case .success(let contents):
                    accessories.append(HostedContent(contents, sources[index], simulation, seed, in: item))
                case .failure:
                    lines.append(
                        "\(sources[index].name) is not served; when it is corrected, it is served at once."
                            .printable
                    )
                }
            }
            files[name] = file
        }
        if let text = listing?.omissionText { lines.append(text) }
    }
}

extension HostedContent {
    /// Returns the accessory, with its item if its file is in a folder.
    fileprivate func located(in folder: AccessoryFolder) -> HostedContent {
        guard let file else { return self }
        let argument = AccessoryFileArgument(file.path)
        guard let resolved = realpath(argument.path, nil) else { return self }
        defer { free(resolved) }
        let path = String(cString: resolved)
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")),
            path.utf8[..<slash].elementsEqual(folder.path.utf8)
        else { return self }
        var located = self
        let name = DefinitionFileName(String(path[path.utf8.index(after: slash)...]))
        located.file?.item = FolderItem(file: name, device: argument.device)
        return located
    }
}
