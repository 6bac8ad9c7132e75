import AccessoryModel
import HAPCore
import HomeModel
import HomeRuntime
import WebConsole

/// Warnings about a home of the controller beside one that a process serves.
///
/// They are separate, so a change of one does not reach the other, and the automations of both can run.
enum OtherHomes {
    /// Warns if `hap serve` runs a home with the name of a home of the controller that a command has changed.
    static func warnOfChange(from old: Homes, to new: Homes) async {
        let changed = Set(new.homes.lazy.filter { home in old.home(home.id) != home }.map(\.name.key))
        guard !changed.isEmpty else { return }
        for (name, process) in await RunningProcess.homes(of: RunningProcess.running([.serve], in: nil))
        where changed.contains(ObjectName.key(of: name)) {
            StandardError.write(
                "hap: Two homes are named \(name.escapingControlCharacters). This command changed the one of the controller; the page shows the one "
                    + "that 'hap serve' runs with the state folder \(process.folder.escapingControlCharacters). To change "
                    + "that one, use --served.\n"
            )
        }
    }

    /// Warns, at the start and after each change of a running home, if another process runs the same automations on the
    /// same accessories.
    ///
    /// Each warning is reported once. Runs until the task is canceled.
    ///
    /// - Parameters:
    ///   - run: The running home.
    ///   - process: This process.
    ///   - report: Receives the warnings.
    static func warn(
        besides run: StoredHomeRunner,
        in process: RunningProcess,
        report: @Sendable (String) async -> Void
    ) async {
        // All homes that are served run on servers of their own process.
        let kinds: Set<RunningProcess.Kind> = process.kind == .home ? [.serve, .home] : [.home]
        var known: Set<String> = []
        while !Task.isCancelled {
            for warning in await warnings(besides: await run.runner.home, in: process, kinds)
            where known.insert(warning).inserted {
                await report(warning)
            }
            await run.waitForChange()
        }
    }

    /// Returns the warnings about other processes of some kinds.
    ///
    /// Automations are the same if they have the same name and are enabled.
    private static func warnings(
        besides home: Home,
        in own: RunningProcess,
        _ kinds: Set<RunningProcess.Kind>
    ) async -> [String] {
        let automations = Set(home.automations.lazy.filter(\.isEnabled).map(\.name.key))
        let accessories = Set(home.accessories.compactMap(\.reference))
        guard !automations.isEmpty, !accessories.isEmpty else { return [] }
        var warnings: [String] = []
        let others = RunningProcess.running(kinds, in: nil).filter { !$0.isSame(as: own) }
        for (name, process) in await RunningProcess.homes(of: others) {
            guard let other = try? await process.client.send("GET", "/api/v1/home", within: .seconds(2)).json.object,
                !accessories.isDisjoint(with: references(of: other))
            else { continue }
            let shared = (other["automations"]?.array ?? []).lazy.compactMap(\.object)
                .filter { $0["enabled"]?.bool == true }
                .compactMap { $0["name"]?.string }
                .filter { automations.contains(ObjectName.key(of: $0)) }
            guard let first = shared.first else { continue }
            let others = shared.count - 1
            warnings.append(
                "\(first.escapingControlCharacters)\(others > 0 ? " and \(others) more automations run" : " runs") twice on "
                    + "the same accessories: here, and in \(name.escapingControlCharacters), which "
                    + (process.kind == .serve ? "'hap serve'" : "'hap home run'")
                    + " runs with the state folder \(process.folder.escapingControlCharacters). End one of the two processes."
            )
        }
        return warnings
    }

    /// Returns the accessories of a home of the API.
    private static func references(of home: JSONObject) -> Set<AccessoryReference> {
        var found: Set<AccessoryReference> = []
        for room in home["rooms"]?.array ?? [] {
            for service in room.object?["services"]?.array ?? [] {
                guard let server = service.object?["deviceID"]?.string.flatMap(DeviceID.init),
                    let aid = service.object?["aid"]?.number?.integer(as: UInt64.self).flatMap({ AccessoryID($0) })
                else { continue }
                found.insert(AccessoryReference(server: server, aid: aid))
            }
        }
        return found
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
        _ change: (inout Homes) throws(HomeError) -> Result
    ) async throws(HomeStoreError) -> Result {
        var before = Homes()
        let (result, stored) = try await updateAndReturnHomes { homes throws(HomeError) in
            before = homes
            return try change(&homes)
        }
        await OtherHomes.warnOfChange(from: before, to: stored.homes)
        return result
    }
}
