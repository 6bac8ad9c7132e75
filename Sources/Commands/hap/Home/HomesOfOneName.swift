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
    private static func running(
        _ names: some Sequence<ObjectName>,
        by kind: RunningProcess.Kind
    ) async -> [(String, RunningProcess)] {
        let keys = Set(names.map(\.key))
        guard !keys.isEmpty else { return [] }
        return await RunningProcess.homes(of: RunningProcess.running([kind], in: nil))
            .filter { keys.contains(ObjectName.key(of: $0.name)) }
            .map { ($0.name.escapingControlCharacters, $0.process) }
    }

    /// Warns if `hap serve` runs a home with the name of a home of the controller that a command has changed.
    static func warnOfChange(from old: Homes, to new: Homes) async {
        let changed = new.homes.filter { home in old.home(home.id) != home }
        for (name, process) in await running(changed.map(\.name), by: .serve) {
            StandardError.write(
                "hap: Two homes are named \(name). This command changed the one of the controller; the page shows the one "
                    + "that 'hap serve' runs with the state folder \(process.folder.escapingControlCharacters). To change "
                    + "that one, edit its home file.\n"
            )
        }
    }

    /// Returns the warnings of a process that begins to run a home, while another one runs a home of the same name.
    static func started(_ name: ObjectName, besides kind: RunningProcess.Kind) async -> [String] {
        await running(CollectionOfOne(name), by: kind)
            .map { name, process in
                "Two homes named \(name) run now: this one, and the one of "
                    + (kind == .serve ? "'hap serve'" : "'hap home run'")
                    + " with the state folder \(process.folder.escapingControlCharacters). The automations of both act; "
                    + "end one of the two processes."
            }
    }
}

extension RunningProcess {
    /// Returns the processes that run a home, with its name; those that do not answer within two seconds are left out.
    static func homes(of processes: [RunningProcess]) async -> [(name: String, process: RunningProcess)] {
        await withTaskGroup(of: (String, RunningProcess)?.self) { group in
            for process in processes {
                group.addTask {
                    let answer = try? await process.client.send("GET", "/api/v1/status", within: .seconds(2))
                    return (answer?.json.object?["home"]?.string).map { ($0, process) }
                }
            }
            var found: [(name: String, process: RunningProcess)] = []
            for await case let home? in group { found.append(home) }
            return found
        }
    }
}

extension HomeStateStore {
    /// Changes the homes of the controller, as `update` does, and warns if `hap serve` runs a home of the same name.
    func updateAndWarn<Result: Sendable>(
        warns: Bool = true,
        _ change: (inout Homes) throws(HomeError) -> Result
    ) async throws(HomeStoreError) -> Result {
        var before = Homes()
        let (result, stored) = try await updateAndReturnHomes { homes throws(HomeError) in
            before = homes
            return try change(&homes)
        }
        if warns { await HomesOfOneName.warnOfChange(from: before, to: stored.homes) }
        return result
    }
}
