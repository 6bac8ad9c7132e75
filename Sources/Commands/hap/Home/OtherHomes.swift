import AccessoryModel
import HAPCore
import HomeModel
import HomeRuntime
import WebConsole

/// Warnings about homes of several processes.
///
/// The homes are separate, so a change of one does not reach the other, and the automations of both can run.
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

    /// The time between two questions to a process that did not answer, and the number of questions.
    private static let retries = (delay: Duration.seconds(5), count: 6)

    /// Warns if another process runs the same automations as this one, on the same accessories.
    ///
    /// Looks at the start, and whenever the automations or the accessories of the home change. The other process does
    /// the same for its home. Runs until the task is canceled.
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
        var repeated = RepeatedAutomations()
        var previous: ComparedHome?
        while !Task.isCancelled {
            let home = ComparedHome(await run.runner.home)
            if home != previous {
                for warning in repeated.warnings(about: await others(like: home, kinds, besides: process)) {
                    await report(warning)
                }
            }
            previous = home
            await run.waitForChange()
        }
    }

    /// Returns what other processes run twice; a process that does not answer is asked again.
    private static func others(
        like home: ComparedHome,
        _ kinds: Set<RunningProcess.Kind>,
        besides own: RunningProcess
    ) async -> [RepeatedAutomations.Other] {
        guard !home.automations.isEmpty, !home.accessories.isEmpty else { return [] }
        var found: [RepeatedAutomations.Other] = []
        var waiting = RunningProcess.running(kinds, in: nil).filter { !$0.hasSameSocket(as: own) }
        for attempt in 1...retries.count where !waiting.isEmpty {
            if attempt > 1 { try? await Task.sleep(for: retries.delay) }
            guard !Task.isCancelled else { break }
            let answers = await answers(of: waiting, to: "/api/v1/home")
            waiting.removeAll { process in answers.contains { $0.process == process } }
            found += answers.compactMap { process, answer in
                RepeatedAutomations.Other(process, running: answer, like: home)
            }
        }
        return found
    }

    /// Returns the answers of processes, without those that do not answer within two seconds.
    static func answers(
        of processes: [RunningProcess],
        to path: String
    ) async -> [(process: RunningProcess, answer: JSONObject?)] {
        await withTaskGroup(of: (RunningProcess, JSONObject?)?.self) { group in
            for process in processes {
                group.addTask {
                    let answer = try? await process.client.send("GET", path, within: .seconds(2))
                    return answer.map { (process, $0.json.object) }
                }
            }
            var found: [(process: RunningProcess, answer: JSONObject?)] = []
            for await case let answer? in group { found.append(answer) }
            return found
        }
    }
}

/// What is compared of a home to find automations that run twice.
struct ComparedHome: Equatable {
    /// The keys of the names of the enabled automations.
    var automations: Set<String>
    var accessories: Set<AccessoryReference>

    init(_ home: Home) {
        automations = Set(home.automations.lazy.filter(\.isEnabled).map(\.name.key))
        accessories = Set(home.accessories.compactMap(\.reference))
    }
}

/// The automations that other processes run, too, as far as they have been reported.
///
/// Automations are the same if they have the same name and are enabled.
struct RepeatedAutomations {
    /// Another process with a home that has automations and accessories of this one.
    struct Other {
        let process: RunningProcess
        let home: String
        /// The names of the automations.
        let automations: [String]

        /// Creates the value from the answer of the API; `nil` if the two homes share nothing.
        init?(_ process: RunningProcess, running answer: JSONObject?, like home: ComparedHome) {
            guard let answer, let name = answer["name"]?.string,
                !home.accessories.isDisjoint(with: Self.references(of: answer))
            else { return nil }
            automations = (answer["automations"]?.array ?? []).lazy.compactMap(\.object)
                .filter { $0["enabled"]?.bool == true }
                .compactMap { $0["name"]?.string }
                .filter { home.automations.contains(ObjectName.key(of: $0)) }
            guard !automations.isEmpty else { return nil }
            self.process = process
            self.home = name
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

    private struct Repetition: Hashable {
        let process: RunningProcess
        let automation: String
    }

    private var known: Set<Repetition> = []

    /// Returns a warning for each process with automations that are new here since the last call.
    mutating func warnings(about others: [Other]) -> [String] {
        let before = known
        known = []
        return others.compactMap { other in
            let new = other.automations.filter { name in
                let repetition = Repetition(process: other.process, automation: ObjectName.key(of: name))
                known.insert(repetition)
                return !before.contains(repetition)
            }
            return new.isEmpty ? nil : Self.warning(new, other)
        }
    }

    private static func warning(_ automations: [String], _ other: Other) -> String {
        let names =
            switch automations.count {
            case 1: "\(automations[0]) runs"
            case 2: "\(automations[0]) and \(automations[1]) run"
            case let count: "\(automations[0]) and \(count - 1) more automations run"
            }
        let command = other.process.kind == .serve ? "'hap serve'" : "'hap home run'"
        return
            "\(names) twice on the same accessories: here, and in \(other.home), which \(command) runs with the state "
            .escapingControlCharacters
            + "folder \(other.process.folder.escapingControlCharacters). End one of the two processes, or disable them in one."
    }
}

extension RunningProcess {
    /// Returns the processes that run a home, with its name; those that do not answer within two seconds are left out.
    static func homes(of processes: [RunningProcess]) async -> [(name: String, process: RunningProcess)] {
        await OtherHomes.answers(of: processes, to: "/api/v1/status")
            .compactMap { process, answer in (answer?["home"]?.string).map { ($0, process) } }
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
