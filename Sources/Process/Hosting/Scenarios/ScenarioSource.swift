internal import AccessoryFiles
internal import AccessoryModel
internal import Documents
internal import HomeModel
package import Simulation

/// A scenario in a file, with the names of the files that it uses.
package struct ScenarioSource: Sendable {
    let file: NamedFile
    /// The path of the file, as it was given.
    package var path: String { file.path }
    package let scenario: Scenario

    /// Reads a scenario.
    ///
    /// - Throws: ``HostError`` with all errors in it.
    package init(_ file: NamedFile) throws(HostError) {
        self.file = file
        let path = file.path
        do throws(HostError) {
            scenario = try Result { () throws(DocumentError) in
                let bytes = try RegularFile(path).bytes
                return try Result { () throws(DocumentError) in try ScenarioFile.read(bytes, name: path) }
                    .mapError { file.showable($0, in: path, .scenario, bytes) }
                    .get()
            }
            .hosted.get()
        } catch {
            throw FileSubject.scenario.failure(for: path, error)
        }
    }

    /// The accessory files that the scenario serves.
    package var files: [NamedFile] {
        scenario.files.map { NamedFile($0.resolved(relativeTo: path), namedBy: .file) }
    }

    /// The home file of the scenario.
    package var home: NamedFile? {
        scenario.home.map { NamedFile($0.resolved(relativeTo: path), namedBy: .file) }
    }

    /// Checks the scenario against the accessories and the home, before anything starts, and returns its plan.
    ///
    /// - Parameters:
    ///   - served: The accessories that are served.
    ///   - home: The home file that is used with it.
    /// - Throws: ``HostError`` with all unknown names and invalid values in the scenario, or with the errors in
    ///   the home file.
    package func check(on served: [HostedContent], home: HomeSource?) throws(HostError) -> ScenarioPlan {
        var servers: [(id: Int, name: String, accessories: [Accessory], ids: SimulationNames.IDLookup)] = []
        for (id, content) in served.enumerated() {
            do throws(ModelError) {
                let ids = try SimulationNames.ids(
                    ofUnstarted: content.accessories,
                    isVerbatim: content.file?.document.isVerbatim ?? false
                )
                servers.append((id, content.name, content.accessories, ids))
            } catch {
                throw HostError.fileContent("\(content.name) cannot be served: \(error).")
            }
        }
        var names = SimulationNames(servers)
        for (id, content) in served.enumerated() { names.add(content.drivers, ofServer: id) }
        return try makePlan(names, home: home)
    }

    /// Returns the scenario with all names resolved.
    ///
    /// - Throws: ``HostError`` with all unknown names and invalid values, or with the errors in the home file.
    private func makePlan(_ names: SimulationNames, home: HomeSource?) throws(HostError) -> ScenarioPlan {
        let users = try home.map { home throws(HostError) in
            try home.document().servedHome?.users.map(\.name.value) ?? []
        }
        let (plan, errors) = ScenarioPlan.make(of: scenario, with: names) { (action) throws(SimulationError) in
            try Self.check(action, users)
        }
        guard errors.isEmpty else { throw HostError(ScenarioFile.diagnostics(for: errors, in: path)) }
        return plan
    }

    /// Returns the scenario with all names resolved.
    ///
    /// - Throws: ``HostError`` with all unknown names and invalid values, or with the errors in the home file;
    ///   ``HostError/interrupted`` if the task is canceled first.
    package func plan(_ names: SimulationNames, home: HomeSource?) async throws(HostError) -> ScenarioPlan {
        let made = await UninterruptibleWork.run {
            Result { () throws(HostError) in try makePlan(names, home: home) }
        }
        guard let made else { throw .interrupted }
        return try made.get()
    }

    private static func check(_ action: WrittenAction, _ users: [ObjectName]?) throws(SimulationError) {
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
        case .set, .command, .act, .fault, .clear, .advance, .pause, .resume, .scale, .log: break
        }
    }
}
