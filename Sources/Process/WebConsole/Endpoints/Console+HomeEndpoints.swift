internal import Documents
internal import HAPCore
internal import HTTPTypes
internal import HomeModel
internal import HomeRuntime
internal import Hosting
internal import Resources

extension Console {
    /// The operations read and check a whole home, which may have thousands of objects.
    static let homeEndpoints = operations.map { endpoint in
        var endpoint = endpoint
        endpoint.leavesEventLoop = true
        endpoint.readsDefinition = endpoint.path == filePath
        return endpoint
    }

    private static let filePath = "/api/v1/home/file"
    private static let journalLimit = Endpoint.NumberParameter(
        "limit",
        in: 1...10_000,
        default: 100,
        "The maximum number of entries."
    )

    private static let operations: [Endpoint] = [
        Endpoint(
            .get,
            "/api/v1/home",
            "Returns the running home with rooms, zones, groups, scenes, automations and users",
            result: ("The home.", HomeResource.format)
        ) { _, console in
            await (try console.runningHome()).resource()
        },
        Endpoint(
            .get,
            filePath,
            "Returns the file of the home that 'hap serve --home' runs",
            result: ("The file.", HomeFileResource.format)
        ) { _, console in
            HomeFileResource(try await console.runningHome().editableFile().content())
        },
        Endpoint(
            .put,
            filePath,
            "Replaces the file of the home that 'hap serve --home' runs, and changes the home",
            body: HomeFileRequest.format,
            result: ("The file.", HomeFileResource.format)
        ) { body, _, console in
            guard body.renames.count <= HomeFileRequest.maximumRenames else {
                throw Problem(
                    .unprocessableContent,
                    "too-many",
                    "There are \(body.renames.count) renames; send at most \(HomeFileRequest.maximumRenames) at once."
                )
            }
            let home = try console.runningHome()
            let file = try home.editableFile()
            let content = try await file.replace(body.text, revision: body.revision, renames: body.renames)
            home.runner.recordEdit()
            return HomeFileResource(content)
        },
        Endpoint(
            .get,
            "/api/v1/home/objects/{kind}/{name}",
            "Returns an object of the home as its file has it",
            result: ("The object.", HomeObjectResource.format)
        ) { request, console in
            try await console.runningHome().object(request["kind"], named: request["name"])
        },
        Endpoint(
            .post,
            "/api/v1/home/edit",
            "Adds, changes, renames or removes an object of the home, and saves the file of the home",
            body: HomeEditRequest.format,
            result: ("What was changed.", HomeEditResource.format)
        ) { body, _, console in
            try await console.runningHome().edit(body)
        },
        Endpoint(
            .get,
            "/api/v1/home/journal",
            "Returns why automations ran, or did not, the oldest first",
            query: [.query(journalLimit)],
            result: ("The entries.", JournalResource.format)
        ) { request, console in
            let home = try console.runningHome()
            let entries = try await home.journal(last: try request.number(journalLimit))
            return JournalResource(entries, in: HomeIndex(await home.runner.runner.home))
        },
        Endpoint(
            .get,
            "/api/v1/home/status",
            "Returns the states of services: on, open, unlocked, unreachable, low on battery",
            query: [
                .query("what", "The services as in a phrase, such as \"lights upstairs\". Default: all.")
            ],
            result: ("The states.", HomeStatusResource.format)
        ) { request, console in
            let runner = try console.runningHome().runner.runner
            let home = await runner.home
            let services = try home.services(describedBy: request.query["what"])
            let statuses = await runner.statuses(of: services)
            return HomeStatusResource(statuses, in: home, HomeIndex(home))
        },
        Endpoint(
            .post,
            "/api/v1/home/say",
            "Does what an English phrase says, or answers it",
            body: SayRequest.format,
            result: ("The answer, or the results of the actions.", PhraseResource.format)
        ) { body, _, console in
            let runner = try console.runningHome().runner.runner
            let home = await runner.home
            let phrase = try Phrase(body.phrase, in: home)
            let outcome = try await runner.perform(phrase, isDryRun: body.isDryRun)
            return PhraseResource(outcome, of: phrase, in: HomeIndex(home))
        },
        Endpoint(
            .post,
            "/api/v1/home/scenes/{name}/run",
            "Runs a scene",
            result: ("The results of its actions.", PhraseResource.format)
        ) { request, console in
            let runner = try console.runningHome().runner.runner
            let home = await runner.home
            let scene: HomeScene
            do throws(HomeError) { scene = try home.scene(named: request["name"]) } catch {
                throw Problem(unknown: error)
            }
            let results = await runner.run(scene.actions)
            return PhraseResource(.done(results, unchanged: []), of: nil, in: HomeIndex(home))
        },
        Endpoint(
            .put,
            "/api/v1/home/automations/{name}",
            "Enables or disables an automation",
            body: BodyFormat.automation,
            noContent: "The change is saved."
        ) { isEnabled, request, console in
            try await console.runningHome()
                .change { home, store in
                    try await store.setAutomation(named: request["name"], isEnabled: isEnabled, in: home)
                }
        },
        Endpoint(
            .put,
            "/api/v1/home/users/{name}",
            "Sets whether a user is at home",
            body: BodyFormat.presence,
            noContent: "The presence is saved."
        ) { isHome, request, console in
            try await console.runningHome()
                .change { home, store in
                    try await store.setPresence(isHome, ofUserNamed: request["name"], in: home)
                }
        },
    ]
}

extension ConsoleHome {
    /// Returns the file of the home.
    func editableFile() throws -> ServedHomeFile {
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
    fileprivate func change(_ work: (Home, HomeStateStore) async throws -> Void) async throws {
        try await work(await runner.runner.home, store)
        runner.recordEdit()
    }

    /// Returns the last journal entries of the home, the oldest first.
    fileprivate func journal(last count: Int) async throws -> [StoredJournalEntry] {
        try await store.journal(of: await runner.runner.home.id, last: count)
    }

    fileprivate func resource() async -> HomeResource {
        let home = await runner.runner.home
        var last: [ObjectID<Automation>: StoredJournalEntry] = [:]
        // The home is in memory, so it is also returned if its journal cannot be read.
        for entry in (try? await journal(last: 1_000)) ?? [] {
            if let automation = entry.automation { last[automation] = entry }
        }
        return HomeResource(
            home: home,
            lastEntries: last,
            isEditable: file?.isEditable ?? false,
            timeZone: FoundationCalendar(of: home).zoneName,
            now: await runner.runner.clock.now
        )
    }
}
