import AccessoryModel
import HAPCore
import HomeModel
import HomeRuntime
import WebConsole

/// Warnings about two homes of one name: one of the controller, and one that a process runs.
///
/// They are separate, so a change of one does not reach the other, and the automations of both can run.
enum HomesOfOneName {
    /// Returns the processes that run a home with one of these names, and the name.
    ///
    /// - Parameter kind: `serve` for homes of files, or `home` for those of `hap home run`.
    static func running(_ names: [ObjectName], by kind: RunningProcess.Kind) async -> [(String, RunningProcess)] {
        let keys = Set(names.map(\.key))
        guard !keys.isEmpty else { return [] }
        var found: [(String, RunningProcess)] = []
        for process in await RunningProcess.running([kind], in: nil) {
            guard let answer = try? await process.request("GET", "/api/v1/home"),
                let name = answer.object?["name"]?.string,
                keys.contains(ObjectName.key(of: name))
            else { continue }
            found.append((name.escapingControlCharacters, process))
        }
        return found
    }

    /// Returns the warnings of a command that changed the controller's homes.
    static func changed(_ names: [ObjectName]) async -> [String] {
        await running(names, by: .serve)
            .map { name, process in
                "Two homes are named \(name). This command changed the one of the controller; the page shows the one that "
                    + "'hap serve' runs with the state folder \(process.folder.escapingControlCharacters). To change that "
                    + "one, edit its home file."
            }
    }

    /// Returns the warnings of a process that begins to run a home, while another one runs a home of the same name.
    static func started(_ name: ObjectName, besides kind: RunningProcess.Kind) async -> [String] {
        await running([name], by: kind)
            .map { name, process in
                "Two homes named \(name) run now: this one, and the one of "
                    + (kind == .serve ? "'hap serve'" : "'hap home run'")
                    + " with the state folder \(process.folder.escapingControlCharacters). The automations of both act; "
                    + "end one of the two processes."
            }
    }
}

extension HomeStateStore {
    /// Changes the homes of the controller, as `update` does, and warns if `hap serve` runs a home of the same name.
    func updateAndWarn<Result: Sendable>(
        _ change: (inout Homes) throws(HomeError) -> Result
    ) async throws(HomeStoreError) -> Result {
        let (result, stored) = try await updateAndReturnHomes(change)
        for warning in await HomesOfOneName.changed(stored.homes.homes.map(\.name)) {
            StandardError.write("hap: \(warning)\n")
        }
        return result
    }
}
