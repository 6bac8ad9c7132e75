internal import Documents
internal import HAPCore
internal import HTTPTypes
internal import HomeModel
internal import HomeRuntime
internal import Hosting
internal import Resources

extension Console {
    private static let name = Endpoint.Parameter.path("name", "The name.")

    /// The operations read and check a whole home, which may have thousands of objects.
    static let homeEndpoints = operations.map { endpoint in
        var endpoint = endpoint
        endpoint.leavesEventLoop = true
        endpoint.readsDefinition = endpoint.path == filePath
        if endpoint.readsDefinition { endpoint.errors.append(.serviceUnavailable) }
        return endpoint
    }

    private static let filePath = "/api/v1/home/file"

    private static let operations: [Endpoint] = [
        Endpoint(
            method: .get,
            path: "/api/v1/home",
            summary: "Returns the running home with rooms, zones, groups, scenes, automations and users",
            success: .json("The home.", HomeResource.format),
            errors: [.notFound]
        ) { _, console throws(Problem) in
            await (try console.runningHome()).response()
        },
        Endpoint(
            method: .get,
            path: filePath,
            summary: "Returns the file of the home that 'hap serve --home' runs",
            success: .json("The file.", HomeFileResource.format),
            errors: [.notFound, .conflict, .unprocessableContent, .internalServerError]
        ) { _, console throws(Problem) in
            let file = try console.runningHome().editableFile()
            do throws(DefinitionFolderError) {
                return .json(HomeFileResource(try await file.content()), HomeFileResource.format)
            } catch {
                throw Problem(error)
            }
        },
        Endpoint(
            method: .put,
            path: filePath,
            summary: "Replaces the file of the home that 'hap serve --home' runs, and changes the home",
            body: HomeFileRequest.format.schema,
            success: .json("The file.", HomeFileResource.format),
            errors: [.notFound, .conflict, .unprocessableContent, .internalServerError]
        ) { request, console throws(Problem) in
            let body = try request.read(HomeFileRequest.format)
            guard body.renames.count <= HomeFileRequest.maximumRenames else {
                throw Problem(
                    .unprocessableContent,
                    "too-many",
                    "There are \(body.renames.count) renames; send at most \(HomeFileRequest.maximumRenames) at once."
                )
            }
            let home = try console.runningHome()
            let file = try home.editableFile()
            do throws(DefinitionFolderError) {
                let content = try await file.replace(body.text, revision: body.revision, renames: body.renames)
                home.runner.recordEdit()
                return .json(HomeFileResource(content), HomeFileResource.format)
            } catch {
                throw Problem(error)
            }
        },
        Endpoint(
            method: .get,
            path: "/api/v1/home/journal",
            summary: "Returns why automations ran, or did not, the oldest first",
            parameters: [
                .query(
                    "limit",
                    Format<Int>.integer(in: 1...10_000).schema,
                    "The maximum number of entries. Default: 100."
                )
            ],
            success: .json("The entries.", JournalResource.format(in: nil)),
            errors: [.badRequest, .notFound, .internalServerError]
        ) { request, console throws(Problem) in
            let home = try console.runningHome()
            let limit = try request.number("limit", in: 1...10_000, default: 100)
            let current = HomeIndex(await home.runner.runner.home)
            return .json(JournalResource(try await home.journal(last: limit)), JournalResource.format(in: current))
        },
        Endpoint(
            method: .get,
            path: "/api/v1/home/status",
            summary: "Returns the states of services: on, open, unlocked, unreachable, low on battery",
            parameters: [
                .query(
                    "what",
                    Format<String>.string.schema,
                    "The services as in a phrase, such as \"lights upstairs\". Default: all."
                )
            ],
            success: .json("The states.", HomeStatusResource.format),
            errors: [.notFound, .unprocessableContent]
        ) { request, console throws(Problem) in
            let runner = try console.runningHome().runner.runner
            let home = await runner.home
            let services = try await understood { () throws(HomeError) in
                try home.services(describedBy: request.query["what"])
            }
            let statuses = await runner.statuses(of: services)
            return .json(HomeStatusResource(statuses, in: home, HomeIndex(home)), HomeStatusResource.format)
        },
        Endpoint(
            method: .post,
            path: "/api/v1/home/say",
            summary: "Does what an English phrase says, or answers it",
            body: SayRequest.format.schema,
            success: .json("The answer, or the results of the actions.", PhraseResource.format),
            errors: [.notFound, .unprocessableContent]
        ) { request, console throws(Problem) in
            let asked = try request.read(SayRequest.format)
            let runner = try console.runningHome().runner.runner
            let home = await runner.home
            let phrase = try await understood { () throws(HomeError) in try Phrase(asked.phrase, in: home) }
            let outcome = try await understood { () async throws(HomeError) in
                try await runner.perform(phrase, isDryRun: asked.isDryRun)
            }
            return .json(PhraseResource(outcome, of: phrase, in: HomeIndex(home)), PhraseResource.format)
        },
        Endpoint(
            method: .post,
            path: "/api/v1/home/scenes/{name}/run",
            summary: "Runs a scene",
            parameters: [name],
            success: .json("The results of its actions.", PhraseResource.format),
            errors: [.notFound]
        ) { request, console throws(Problem) in
            let runner = try console.runningHome().runner.runner
            let home = await runner.home
            let scene: HomeScene
            do throws(HomeError) { scene = try home.scene(named: request["name"]) } catch {
                throw Problem(unknown: error)
            }
            let results = await runner.run(scene.actions)
            return .json(PhraseResource(sceneResults: results, in: HomeIndex(home)), PhraseResource.format)
        },
        Endpoint(
            method: .put,
            path: "/api/v1/home/automations/{name}",
            summary: "Enables or disables an automation",
            parameters: [name],
            body: AutomationRequest.format.schema,
            success: .empty("The change is saved."),
            errors: [.notFound, .internalServerError]
        ) { request, console throws(Problem) in
            let isEnabled = try request.read(AutomationRequest.format).isEnabled
            let name = request["name"]
            return try await console.runningHome()
                .change { home, store throws(HomeStoreError) in
                    try await store.setAutomation(named: name, isEnabled: isEnabled, in: home)
                }
        },
        Endpoint(
            method: .put,
            path: "/api/v1/home/users/{name}",
            summary: "Sets whether a user is at home",
            parameters: [name],
            body: PresenceRequest.format.schema,
            success: .empty("The presence is saved."),
            errors: [.notFound, .internalServerError]
        ) { request, console throws(Problem) in
            let isHome = try request.read(PresenceRequest.format).isHome
            let name = request["name"]
            return try await console.runningHome()
                .change { home, store throws(HomeStoreError) in
                    try await store.setPresence(isHome, ofUserNamed: name, in: home)
                }
        },
    ]

    /// Converts the error for a phrase that cannot be understood, or that is refused, to a problem.
    private static func understood<Value>(
        _ read: () async throws(HomeError) -> Value
    ) async throws(Problem) -> Value {
        do throws(HomeError) {
            return try await read()
        } catch {
            // The code of the error, as in "ambiguous-name".
            let code = error.code.rawValue.map { $0.isUppercase ? "-\($0.lowercased())" : String($0) }.joined()
            throw Problem(.unprocessableContent, code, error.description)
        }
    }
}

extension Problem {
    /// Creates the problem that a name is unknown or ambiguous.
    fileprivate init(unknown error: HomeError) {
        self.init(.notFound, "unknown-name", error.description)
    }
}

extension ConsoleHome {
    /// Returns the file of the home.
    fileprivate func editableFile() throws(Problem) -> ServedHomeFile {
        guard let file else {
            throw Problem(
                .conflict,
                "no-file",
                "The home is stored; change it with 'hap home', or export it to a file."
            )
        }
        return file
    }

    /// Changes what is stored of the home, and lets the runner apply it at once.
    fileprivate func change(
        _ work: (Home, HomeStateStore) async throws(HomeStoreError) -> Void
    ) async throws(Problem) -> APIResponse {
        do throws(HomeStoreError) {
            try await work(await runner.runner.home, store)
        } catch .refused(let error) {
            throw Problem(unknown: error)
        } catch {
            throw Problem(.internalServerError, "store-failed", "\(error)")
        }
        runner.recordEdit()
        return .empty
    }

    /// Returns the last journal entries of the home, the oldest first.
    fileprivate func journal(last count: Int) async throws(Problem) -> [StoredJournalEntry] {
        do {
            return try await store.journal(of: await runner.runner.home.id, last: count)
        } catch {
            throw Problem(.internalServerError, "store-failed", "The journal cannot be read: \(error)")
        }
    }

    fileprivate func response() async -> APIResponse {
        let home = await runner.runner.home
        var last: [ObjectID<Automation>: StoredJournalEntry] = [:]
        // The home is in memory, so it is also returned if its journal cannot be read.
        for entry in (try? await journal(last: 1_000)) ?? [] {
            if let automation = entry.automation { last[automation] = entry }
        }
        return .json(HomeResource(home: home, lastEntries: last), HomeResource.format)
    }
}
