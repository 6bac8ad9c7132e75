import AccessoryFiles
import AccessoryModel
import Documents
import HomeModel
import Simulation
import SimulationRuntime

/// A scenario in a file, with the names of the files that it uses.
struct ScenarioSource: Sendable {
    /// The path of the file, as it was given.
    let path: String
    let scenario: Scenario

    /// Reads a scenario.
    ///
    /// - Throws: ``CommandFailure`` with all errors in it.
    init(_ file: NamedFile) throws(CommandFailure) {
        let path = file.path
        self.path = path
        do throws(CommandFailure) {
            scenario = try withCommandFailures { () throws(DocumentError) in
                let bytes = try RegularFile(path).bytes
                return try Result { () throws(DocumentError) in try ScenarioFile.read(bytes, name: path) }
                    .mapError { file.showable($0, in: path, .scenario, bytes) }
                    .get()
            }
        } catch {
            throw FileSubject.scenario.failure(for: path, error)
        }
    }

    /// The accessory files that the scenario serves.
    var files: [NamedFile] {
        scenario.files.map { NamedFile($0.resolved(relativeTo: path), namedBy: .file) }
    }

    /// The home file of the scenario.
    var home: NamedFile? {
        scenario.home.map { NamedFile($0.resolved(relativeTo: path), namedBy: .file) }
    }

    /// Checks the scenario against the accessories and the home, before anything starts, and returns its plan.
    ///
    /// - Parameters:
    ///   - served: The accessories that are served.
    ///   - home: The home file that is used with it.
    /// - Throws: ``CommandFailure`` with all unknown names and invalid values in the scenario, or with the errors in
    ///   the home file.
    func check(on served: [ServedAccessory], home: HomeSource?) throws(CommandFailure) -> ScenarioPlan {
        var servers: [NamedServer] = []
        for accessory in served {
            do throws(ModelError) {
                servers.append(
                    try NamedServer(
                        name: accessory.name,
                        unstarted: accessory.accessories,
                        isVerbatim: accessory.file?.document.isVerbatim ?? false
                    )
                )
            } catch {
                throw CommandFailure.fileContent("\(accessory.name) cannot be served: \(error).")
            }
        }
        return try makePlan(SimulationNames(servers), home: home)
    }

    /// Returns the scenario with all names resolved.
    ///
    /// - Throws: ``CommandFailure`` with all unknown names and invalid values, or with the errors in the home file.
    private func makePlan(_ names: SimulationNames, home: HomeSource?) throws(CommandFailure) -> ScenarioPlan {
        let users = try home.map { home throws(CommandFailure) in
            try home.document().servedHome?.users.map(\.name.value) ?? []
        }
        let (plan, errors) = ScenarioPlan.make(of: scenario, with: names) { (action) throws(SimulationError) in
            try Self.check(action, users)
        }
        guard errors.isEmpty else { throw CommandFailure(ScenarioFile.diagnostics(for: errors, in: path)) }
        return plan
    }

    /// Returns the scenario with all names resolved.
    ///
    /// - Throws: ``CommandFailure`` with all unknown names and invalid values, or with the errors in the home file;
    ///   ``CommandFailure/interrupted`` if the task is canceled first.
    func plan(_ names: SimulationNames, home: HomeSource?) async throws(CommandFailure) -> ScenarioPlan {
        let made = await UninterruptibleWork.run {
            Result { () throws(CommandFailure) in try makePlan(names, home: home) }
        }
        guard let made else { throw .interrupted }
        return try made.get()
    }

    private static func check(_ action: SimulationAction, _ users: [ObjectName]?) throws(SimulationError) {
        switch action {
        case .arrive(let name), .leave(let name):
            guard let users else {
                throw SimulationError(
                    .refused,
                    "There is no home, so no user can arrive or leave.",
                    "Name its file under \"home\"."
                )
            }
            try SimulatedHome.checkUser(name, among: users)
        case .set, .press, .stop, .obstruct, .clearObstruction, .plug, .unplug, .fault, .clear, .advance, .pause,
            .resume,
            .scale, .log:
            break
        }
    }
}
