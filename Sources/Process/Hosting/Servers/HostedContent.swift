package import AccessoryFiles
package import AccessoryModel
package import Documents
package import HAPCore
internal import HomeModel
package import Simulation

/// What one server serves: a standalone accessory, or a bridge with its bridged accessories.
package struct HostedContent: Sendable {
    /// The file that declares the accessories of a server.
    package struct File: Sendable {
        /// The path as the user wrote it, with the device if the file contains several.
        package let path: String
        /// Who names the file.
        package var origin = NamedFile.Origin.user
        /// The contents of the last version of the file that had no errors.
        package private(set) var document: AccessoryDocument
        /// The contents with which the server was started.
        package var startDocument: AccessoryDocument
        /// Whether the values are simulated.
        package let isSimulated: Bool
        /// The seed of the random numbers of simulated devices.
        package var seed: UInt64 = 0
        /// The files that were read, with the stamps that show later edits.
        package private(set) var changeDetector: FileChangeDetector
        /// The place in the folder of definitions, or `nil` if the file is not from there.
        package var item: FolderItem?

        /// The accessories that the file declares.
        package var accessories: [Accessory] {
            document.makeAccessories(isSimulated: isSimulated, seed: seed)
        }

        /// Returns a new version of the file.
        package func edited(_ document: AccessoryDocument, _ changeDetector: FileChangeDetector) -> File {
            var file = self
            file.document = document
            file.changeDetector = changeDetector
            return file
        }
    }

    /// The key under which the server's state is stored.
    package var key: String
    package var name: String
    package var category: AccessoryCategory
    /// The accessories of the server.
    ///
    /// Controllers discover the first one and pair with it.
    package var accessories: [Accessory]
    /// The file that declares the accessories, or `nil` if they are built in.
    package var file: File?
    /// The drivers by the keys of their accessories.
    package var drivers: [String: DriverSetting] = [:]
    /// The database of the accessories, if they were checked.
    package var database: PreparedDatabase?

    package init(
        key: String,
        name: String,
        category: AccessoryCategory,
        accessories: [Accessory],
        file: File? = nil
    ) {
        self.key = key
        self.name = name
        self.category = category
        self.accessories = accessories
        self.file = file
    }

    /// Returns a number of Kilgo garages, each for a server of its own: `Kilgo Garage`, `Kilgo Garage 2` and so on.
    package static func garages(_ count: Int, _ simulation: SimulationMode? = nil) -> [HostedContent] {
        (1...max(count, 1))
            .map { number in
                var garage = KilgoGarage.accessory(number: number)
                if simulation == .off {
                    for index in garage.services.indices {
                        garage.services[index].behavior = nil
                    }
                }
                return HostedContent(
                    key: garage.key,
                    name: garage.key,
                    category: KilgoGarage.category,
                    accessories: [garage]
                )
            }
    }

    /// Loads the accessories to serve: those of the files, and those whose definitions the home file names.
    ///
    /// - Parameters:
    ///   - paths: The files that were given themselves.
    ///   - home: The home file.
    ///   - copies: The number of garages without any file, at least 1.
    ///   - hasFolder: Whether a folder of definitions is served. Without files, the garages are then not served.
    ///   - simulation: Whether values are simulated, or `nil` for the default of each file.
    ///   - seed: The seed of the random numbers.
    ///   - allowsCommands: Whether any file may run programs.
    /// - Returns: The accessories, and the warnings about them.
    /// - Throws: ``HostError`` with the errors in the home file, or in all other files.
    package static func load(
        _ paths: [NamedFile],
        home: HomeSource?,
        copies: Int = 1,
        hasFolder: Bool = false,
        _ simulation: SimulationMode?,
        seed: UInt64 = 0,
        allowsCommands: Bool = false
    ) throws(HostError) -> (served: [HostedContent], warnings: [Diagnostic]) {
        let document = try home.map { home throws(HostError) in try home.document() }
        let definitions = home.flatMap { document?.servedHome?.definitions(in: $0.file.path) } ?? []
        guard !paths.isEmpty || !definitions.isEmpty else {
            return (hasFolder ? [] : garages(copies, simulation), [])
        }
        guard copies == 1 else { throw HostError.copiesOfFiles(.usage) }
        return try load(
            paths,
            definitions: definitions,
            simulation,
            seed: seed,
            allowsCommands: allowsCommands
        )
    }

    /// Loads the accessories of the files, in the order of the files, with the warnings about them.
    ///
    /// - Parameters:
    ///   - paths: The files that were given themselves.
    ///   - definitions: The files that a home file names. A file that is named twice is loaded once.
    ///   - simulation: Whether values are simulated, or `nil` for the default of each file.
    ///   - seed: The seed of the random numbers.
    /// - Throws: ``HostError`` with the errors of all files.
    package static func load(
        _ paths: [NamedFile],
        definitions: [HomeDefinition] = [],
        _ simulation: SimulationMode?,
        seed: UInt64 = 0,
        allowsCommands: Bool = false
    ) throws(HostError) -> (served: [HostedContent], warnings: [Diagnostic]) {
        let files = ServedFileReference.all(paths, definitions)
            .map { (SourceContents.all(of: $0.file), $0.definitions) }
        return try load(files, simulation, seed: seed, allowsCommands: allowsCommands)
    }

    /// Loads the accessories of files that were read, with the warnings about them.
    ///
    /// - Parameter files: The contents of each file, and the accessories of a home file that it defines.
    /// - Throws: ``HostError`` with the errors of all files.
    package static func load(
        _ files: [(contents: [SourceContents], definitions: [HomeDefinition])],
        _ simulation: SimulationMode?,
        seed: UInt64 = 0,
        allowsCommands: Bool = false
    ) throws(HostError) -> (served: [HostedContent], warnings: [Diagnostic]) {
        var served: [HostedContent] = []
        var warnings: [Diagnostic] = []
        var errors: [Diagnostic] = []
        var owners = ClaimedIdentifiers()
        for (contents, definitions) in files {
            var (names, faults): ([String], [Diagnostic]) = ([], [])
            for source in contents {
                if case .failure(let error) = source.result {
                    let failure = FileSubject.accessory.failure(for: source.name, HostError(error.diagnostics))
                    faults += failure.diagnostics
                    continue
                }
                do throws(DocumentError) {
                    let reading = try source.result.get()
                    if !allowsCommands {
                        faults += reading.document.programErrors(in: source.name, isNamed: source.origin == .user)
                    }
                    var accessory = HostedContent(reading, source, simulation, seed)
                    let (database, errors) = reading.document.prepare(accessory.accessories)
                    guard errors.isEmpty else {
                        throw DocumentError(errors, in: source.name, after: reading.warnings)
                    }
                    accessory.database = database
                    warnings += reading.warnings
                    served.append(accessory)
                    names += accessory.homeNames
                    faults += owners.claim(reading.document, for: source.name, .error)
                } catch {
                    faults += error.diagnostics
                }
            }
            errors += (faults.isEmpty ? [] : definitions.map(\.error)) + faults
            warnings += faults.isEmpty ? HomeDefinition.warnings(definitions, served: names) : []
        }
        guard errors.isEmpty else { throw HostError(warnings + errors) }
        return (served, warnings)
    }
}

extension HostedContent {
    /// The names by which a home file refers to the accessories.
    fileprivate var homeNames: [String] {
        let bridged = accessories.dropFirst()
            .compactMap { accessory in
                accessory.services.first { $0.key.type == .accessoryInformation }?.characteristics
                    .first { $0.type == .name }?
                    .value?
                    .string
            }
        return [name] + bridged
    }

    /// Creates the content of a server from a file.
    package init(
        _ reading: AccessoryFileContents,
        _ source: SourceContents,
        _ simulation: SimulationMode?,
        _ seed: UInt64,
        in item: FolderItem? = nil
    ) {
        let document = reading.document
        let file = File(
            path: source.name,
            origin: source.origin,
            document: document,
            startDocument: document,
            // The values of a dump come from a real device, so they stay as they are.
            isSimulated: (simulation ?? (reading.kind == .dump ? .off : .automatic)) == .automatic,
            seed: seed,
            changeDetector: FileChangeDetector(source.files),
            item: item
        )
        self.init(
            key: document.key,
            name: document.name,
            category: document.category,
            accessories: file.accessories,
            file: file
        )
        drivers = document.drivers
    }
}

extension HostedContent {
    /// Why a driver that runs programs is not started, with a remedy.
    package static let commandRefusal =
        "A file runs programs only if it is named on the command line, and not if it is included. Name it there, or "
        + "start with --allow-commands."

    /// Returns whether the driver of an accessory may run programs: its file was named on the command line.
    func mayRunPrograms(of driver: DriverSetting) -> Bool {
        guard let file, !driver.isIncluded else { return false }
        return file.origin == .user && file.item == nil
    }
}

extension AccessoryDocument {
    /// Returns an error for each driver that runs programs although the file may not.
    ///
    /// - Parameters:
    ///   - name: The name of the file.
    ///   - isNamed: Whether the file was named on the command line.
    func programErrors(in name: String, isNamed: Bool) -> [Diagnostic] {
        accessories.enumerated()
            .compactMap { index, accessory in
                guard let driver = accessory.driver, driver.definition?.runsPrograms == true,
                    !isNamed || driver.isIncluded
                else { return nil }
                return Diagnostic(
                    .error,
                    in: name,
                    path: index == 0 ? "driver" : "accessories[\(index - 1)].driver",
                    "\(driver.name) runs a program, which is only allowed for a file that is named on the command line, and "
                        + "that is neither included nor in the folder of --accessories; start with --allow-commands to "
                        + "allow it for all files"
                )
            }
    }

    /// The drivers by the keys of their accessories.
    var drivers: [String: DriverSetting] {
        Dictionary(accessories.compactMap { accessory in accessory.driver.map { (accessory.key, $0) } }) { first, _ in
            first
        }
    }
}

/// The state keys and device IDs, each with the file that claimed it; only one server of the program can have each.
package struct ClaimedIdentifiers {
    private var keys: [String: String] = [:]
    private var deviceIDs: [DeviceID: String] = [:]

    package init() {}

    /// Records the identifiers of a file, and returns a diagnostic if another file already claimed one of them.
    package mutating func claim(
        _ document: AccessoryDocument,
        for file: String,
        _ severity: Diagnostic.Severity
    ) -> [Diagnostic] {
        var diagnostics: [Diagnostic] = []
        if let owner = keys.updateValue(file, forKey: document.key) {
            diagnostics.append(
                Diagnostic(
                    severity,
                    in: file,
                    "its id \"\(document.key)\" is also the id of \(owner); give one of them another \"id\", or serve "
                        + "them separately, each with its own --state"
                )
            )
        }
        if let deviceID = document.deviceID, let owner = deviceIDs.updateValue(file, forKey: deviceID),
            diagnostics.isEmpty
        {
            diagnostics.append(
                Diagnostic(
                    severity,
                    in: file,
                    path: "deviceID",
                    "\(deviceID) is also the device ID of \(owner); remove one of them, and a new one is generated"
                )
            )
        }
        return diagnostics
    }
}
