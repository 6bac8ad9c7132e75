import ArgumentParser
import Foundation
import HomeModel
import HomeRuntime

/// What a shell offers while somebody types: the names in the home that is meant.
enum HomeCompletion {
    /// The names of all things of a kind.
    static func names(_ kind: HomeKind) -> CompletionKind {
        .custom { words, _, _ in await names(kind, words) }
    }

    /// The names of the things of the kind that is written before.
    static var named: CompletionKind {
        .custom { words, _, _ in
            guard let kind = words.lazy.compactMap({ HomeKind(rawValue: $0) }).last else { return [] }
            return await names(kind, words)
        }
    }

    /// Everything that can be set, and the words for values.
    static var things: CompletionKind {
        .custom { words, _, _ in
            var all: [String] = []
            for kind in [HomeKind.service, .group, .room, .zone, .scene] {
                all += await names(kind, words)
            }
            return all + ["on", "off", "open", "close", "lock", "unlock"]
        }
    }

    private static func names(_ kind: HomeKind, _ words: [String]) async -> [String] {
        guard let homes = await homes(words) else { return [] }
        if kind == .home { return homes.homes.map(\.name.text) }
        let name = words.firstIndex(of: "--home").flatMap { words.dropFirst($0 + 1).first }
        guard let home = name.flatMap({ try? homes.home(named: $0) }) ?? homes.primaryHome else { return [] }
        switch kind {
        case .home: return []
        case .room: return (home.rooms + [.entireHome]).map(\.name.text)
        case .zone: return home.zones.map(\.name.text)
        case .group: return home.serviceGroups.map(\.name.text)
        case .scene: return home.scenes.map(\.name.text)
        case .automation: return home.automations.map(\.name.text)
        case .accessory: return home.accessories.map(\.name.text)
        case .service: return home.shownServices.map(\.service.name.text)
        case .user: return home.users.map(\.name.text)
        }
    }

    /// Nothing is made where nothing is, and no failure reaches the shell.
    private static func homes(_ words: [String]) async -> Homes? {
        let option = words.firstIndex(of: "--state").flatMap { words.dropFirst($0 + 1).first }
        guard let folder = try? StateLocation(option, environment: ProcessInfo.processInfo.environment),
            (try? HomeStateStore.exists(in: folder.path)) == true,
            let store = try? await HomeStateStore.open(folder: folder.path)
        else { return nil }
        let homes = try? await store.homes().homes
        try? await store.close()
        return homes
    }
}
