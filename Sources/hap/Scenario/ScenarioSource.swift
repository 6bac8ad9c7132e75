import AccessoryFiles
import AccessoryModel
import Simulation

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
        do throws(AccessoryFileError) {
            scenario = try ScenarioFile.read(RegularFile(path).bytes, name: path)
        } catch {
            throw CommandFailure(error.findings)
        }
    }

    /// The files that it serves.
    var files: [String] {
        scenario.files.map { $0.resolved(beside: path) }
    }

    /// The file of its home.
    var home: String? {
        scenario.home?.resolved(beside: path)
    }

    /// Holds it against what is served before anything starts.
    ///
    /// - Throws: ``CommandFailure`` with everything in it that names nothing, or is no value.
    func check(on served: [ServedAccessory]) throws(CommandFailure) {
        var servers: [SimulatedServer] = []
        for accessory in served {
            do throws(ModelError) {
                servers.append(
                    try SimulatedServer(
                        name: accessory.name,
                        unstarted: accessory.accessories,
                        isVerbatim: accessory.file?.document.isVerbatim ?? false
                    )
                )
            } catch {
                throw CommandFailure(.fileContent, "\(accessory.name) cannot be served: \(error).")
            }
        }
        _ = try plan(SimulationNames(servers))
    }

    /// The scenario with everything that it names.
    ///
    /// - Throws: ``CommandFailure`` with everything that names nothing, or is no value.
    func plan(_ names: SimulationNames) throws(CommandFailure) -> ScenarioPlan {
        let (plan, faults) = ScenarioPlan.make(of: scenario, with: names)
        guard faults.isEmpty else { throw CommandFailure(ScenarioFile.findings(of: faults, in: path)) }
        return plan
    }
}
