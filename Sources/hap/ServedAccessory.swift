import AccessoryFiles
import AccessoryModel
import Documents
import HAPCore
import Simulation

/// What one server serves: an accessory that stands alone, or a bridge with what is behind it.
struct ServedAccessory: Sendable {
    /// What its state is kept under.
    var key: String
    var name: String
    var category: AccessoryCategory
    /// The first is the one that is found and paired.
    var accessories: [Accessory]
    /// Where it comes from, `nil` when it is built in.
    var file: ServedFile?

    /// The Kilgo garage so many times, each a server of its own: `Kilgo Garage`, `Kilgo Garage 2` and so on.
    static func garages(_ count: Int, _ simulation: SimulationMode? = nil) -> [ServedAccessory] {
        (1...max(count, 1))
            .map { number in
                var garage = KilgoGarage.accessory(number: number)
                if simulation == .off {
                    for index in garage.services.indices {
                        garage.services[index].behavior = nil
                    }
                }
                return ServedAccessory(
                    key: garage.key,
                    name: garage.key,
                    category: KilgoGarage.category,
                    accessories: [garage]
                )
            }
    }

    /// What is to be served, with everything about it that is unusual.
    ///
    /// - Throws: ``CommandFailure`` with everything that is wrong in all files.
    static func load(
        of settings: ServeSettings
    ) throws(CommandFailure) -> (served: [ServedAccessory], warnings: [Diagnostic]) {
        guard !settings.files.isEmpty else { return (garages(settings.copies, settings.simulation), []) }
        return try load(settings.files, settings.simulation, seed: settings.seed ?? 0)
    }

    /// What is in the files, in their order, with everything about them that is unusual.
    ///
    /// - Throws: ``CommandFailure`` with everything that is wrong in all of them.
    static func load(
        _ paths: [String],
        _ simulation: SimulationMode?,
        seed: UInt64 = 0
    ) throws(CommandFailure) -> (served: [ServedAccessory], warnings: [Diagnostic]) {
        var served: [ServedAccessory] = []
        var warnings: [Diagnostic] = []
        var errors: [Diagnostic] = []
        var owners = ClaimedIdentifiers()
        for source in paths.flatMap(SourceContents.all) {
            if case .failure(let error) = source.result {
                let failure = FileSubject.accessory.failure(for: source.name, CommandFailure(error.diagnostics))
                errors += failure.diagnostics
                continue
            }
            do throws(DocumentError) {
                let reading = try source.servableResult.get()
                warnings += reading.warnings
                served.append(ServedAccessory(reading, source, simulation, seed))
                errors += owners.claim(reading.document, for: source.name, .error)
            } catch {
                errors += error.diagnostics
            }
        }
        guard errors.isEmpty else { throw CommandFailure(warnings + errors) }
        return (served, warnings)
    }
}

extension ServedAccessory {
    fileprivate init(
        _ reading: AccessoryFileContents,
        _ source: SourceContents,
        _ simulation: SimulationMode?,
        _ seed: UInt64
    ) {
        let document = reading.document
        let file = ServedFile(
            path: source.name,
            document: document,
            // What a device has said stays as it was said.
            isSimulated: (simulation ?? (reading.kind == .dump ? .off : .automatic)) == .automatic,
            changeDetector: FileChangeDetector(source.files),
            seed: seed
        )
        self.init(
            key: document.key,
            name: document.name,
            category: document.category,
            accessories: file.accessories,
            file: file
        )
    }
}

/// Which files have claimed what only one server of a program can have: the key of its state, and a device ID.
struct ClaimedIdentifiers {
    private var keys: [String: String] = [:]
    private var deviceIDs: [DeviceID: String] = [:]

    /// Notes what a file claims; tells what is another's, too.
    mutating func claim(
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
                    "its id is \"\(document.key)\", as that of \(owner); give one of them another \"id\", or serve them apart, "
                        + "each with its own --state"
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
                    "\(deviceID) is the device ID of \(owner), too; leave one of them away, and a new one is drawn"
                )
            )
        }
        return diagnostics
    }
}
