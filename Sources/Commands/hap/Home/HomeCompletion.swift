import ArgumentParser
import HomeModel
import HomeRuntime
import Hosting
import WebConsole

/// The shell completions of the home commands: the names in the selected home.
enum HomeCompletion {
    /// Returns a completion for the names of all objects of a kind.
    static func names(_ kind: HomeObjectKind) -> CompletionKind {
        .custom { words, _, _ in await names(kind, words) }
    }

    /// The names of all objects of the kind that precedes the name on the command line.
    static var named: CompletionKind {
        .custom { words, _, _ in
            guard let kind = words.lazy.compactMap({ HomeObjectKind(rawValue: $0) }).last else { return [] }
            return await names(kind, words)
        }
    }

    /// The names of all objects that can be set, and the words for values.
    static var objects: CompletionKind {
        .custom { words, _, _ in
            var all: [String] = []
            for kind in [HomeObjectKind.service, .group, .room, .zone, .scene] {
                all += await names(kind, words)
            }
            return all + ["on", "off", "open", "close", "lock", "unlock"]
        }
    }

    private static func names(_ kind: HomeObjectKind, _ words: [String]) async -> [String] {
        guard let homes = await homes(words) else { return [] }
        if kind == .home { return homes.homes.map(\.name.text) }
        let name = words.firstIndex(of: "--home").flatMap { words.dropFirst($0 + 1).first }
        guard let home = name.flatMap({ try? homes.home(named: $0) }) ?? homes.primaryHome else { return [] }
        let names = home.names(of: kind) + (kind == .room ? [Room.entireHome.name] : [])
        return names.map(\.text)
    }

    /// Returns the stored homes, without creating a store.
    ///
    /// Errors are ignored, because a completion must not print any.
    private static func homes(_ words: [String]) async -> Homes? {
        guard let folder = StateLocation(of: words)?.path else { return nil }
        let stored = words.contains("--served") ? nil : await HomeStateStore.homes(in: folder)
        guard stored?.homes.isEmpty != false, !words.contains("--stored") else { return stored }
        let state = words.contains("--state") ? StateLocation(of: words) : nil
        let served = await RunningProcess.homes(of: RunningProcess.running([.serve], in: state))
        guard let process = served.first?.process, served.count == 1 else { return stored }
        return await HomeStateStore.homes(in: ServedHome.folder(in: process.folder))
    }
}

extension HomeStateStore {
    /// Returns the homes that are stored in a folder, or `nil` if there are none or they cannot be read.
    ///
    /// This does not create a store.
    static func homes(in folder: String) async -> Homes? {
        guard (try? exists(in: folder)) == true, let store = try? await open(folder: folder) else { return nil }
        return try? await store.closing { try await $0.homes().homes }
    }
}
