import AccessoryFiles
import AccessoryModel
import Documents
import HomeModel
import Simulation
import SimulationRuntime

/// A scenario on disk, and what it is run on.
struct ScenarioSource: Sendable {
    /// The file, as it was named.
    let path: String
    let scenario: Scenario

    /// Reads a file.
    ///
    /// - Throws: ``CommandFailure`` with everything that is wrong in it.
    init(_ path: String) throws(CommandFailure) {
        self.path = path
        do throws(CommandFailure) {
            scenario = try withCommandFailures { try ScenarioFile.read(RegularFile(path).bytes, name: path) }
        } catch {
            throw FileSubject.scenario.failure(for: path, error)
        }
    }

    /// The files that it serves.
    var files: [String] {
        scenario.files.map { $0.resolved(relativeTo: path) }
    }

    /// The file of its home.
    var home: String? {
        scenario.home?.resolved(relativeTo: path)
    }

    /// Holds it against what is served and run before anything starts.
    ///
    /// - Parameter home: The file of the home that is run with it.
    /// - Throws: ``CommandFailure`` with everything in it that names nothing, or is no value, and with what is wrong in the
    ///   home's file.
    func check(on served: [ServedAccessory], home: String?) throws(CommandFailure) {
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
        _ = try makePlan(SimulationNames(servers), home: home)
    }

    /// The scenario with everything that it names.
    ///
    /// - Throws: ``CommandFailure`` with everything that names nothing, or is no value, and with what is wrong in the home's
    ///   file.
    private func makePlan(_ names: SimulationNames, home: String?) throws(CommandFailure) -> ScenarioPlan {
        let users = try home.map { path throws(CommandFailure) in try Self.users(of: path) }
        let (plan, errors) = ScenarioPlan.make(of: scenario, with: names) { (action) throws(SimulationError) in
            try Self.check(action, users)
        }
        guard errors.isEmpty else { throw CommandFailure(ScenarioFile.diagnostics(for: errors, in: path)) }
        return plan
    }

    /// The scenario with everything that it names, unless the task is cancelled before that is found.
    ///
    /// - Throws: ``CommandFailure`` as above, and ``CommandFailure/interrupted``.
    func plan(_ names: SimulationNames, home: String?) async throws(CommandFailure) -> ScenarioPlan {
        let made = await UninterruptibleWork.run {
            Result { () throws(CommandFailure) in try makePlan(names, home: home) }
        }
        guard let made else { throw .interrupted }
        return try made.get()
    }

    private static func users(of path: String) throws(CommandFailure) -> [ObjectName] {
        let homes = try HomeSource(path).document().homes
        return (homes.first(where: \.isPrimary) ?? homes.first)?.users.map(\.name.value) ?? []
    }

    private static func check(_ action: SimulationAction, _ users: [ObjectName]?) throws(SimulationError) {
        switch action {
        case .arrive(let name), .leave(let name):
            guard let users else {
                throw SimulationError(
                    .refused,
                    "There is no home here that somebody comes to.",
                    "Name its file under \"home\"."
                )
            }
            try SimulatedHome.checkUser(name, among: users)
        case .set, .press, .stop, .obstruct, .clearObstruction, .fault, .clear, .advance, .pause, .resume, .scale, .log:
            break
        }
    }
}
