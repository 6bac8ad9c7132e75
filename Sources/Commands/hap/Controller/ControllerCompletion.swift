import AccessoryModel
import ArgumentParser
import HAPController
import HAPCore

/// The shell completions of the controller's commands, from stored data only.
///
/// No accessory is contacted.
enum ControllerCompletion {
    /// The aliases of all accessories.
    static var aliases: CompletionKind {
        .custom { words, _, _ in await pairings(words).map(\.alias) }
    }

    /// Returns a completion for the characteristics with this permission, of the accessory on the command line.
    static func characteristics(_ permission: CharacteristicPermissions) -> CompletionKind {
        .custom { words, _, _ in
            await names(words).filter { $0.characteristic.permissions.contains(permission) }.map(\.name)
        }
    }

    /// The characteristics with this permission and a `=`, and after the `=` the names of their values.
    static func assignments(_ permission: CharacteristicPermissions) -> CompletionKind {
        .custom { words, _, prefix in
            await names(words).filter { $0.characteristic.permissions.contains(permission) }
                .flatMap { name, characteristic in
                    prefix.hasPrefix("\(name)=")
                        ? characteristic.base.completions.map { "\(name)=\($0)" } : ["\(name)="]
                }
        }
    }

    /// Returns the characteristics with names that need no quotation marks.
    private static func names(_ words: [String]) async -> [(name: String, characteristic: RemoteCharacteristic)] {
        guard let stored = await pairings(words).first(where: { words.contains($0.alias) }),
            let body = await withStore(words, { try await $0.database(of: stored.pairing)?.body }) ?? nil,
            let accessories = try? RemoteDatabase.read(body)
        else { return [] }
        return zip(CharacteristicPath.all(in: accessories), CharacteristicPath.texts(in: accessories))
            .map { ($1.filter { $0 != " " }, $0.characteristic) }
    }

    private static func pairings(_ words: [String]) async -> [StoredPairing] {
        await withStore(words) { try await $0.pairings() } ?? []
    }

    /// Reads from the store, without creating one.
    ///
    /// Errors are ignored, because a completion must not print any.
    private static func withStore<Result>(
        _ words: [String],
        _ read: (ControllerStateStore) async throws -> Result
    ) async -> Result? {
        guard let folder = StateLocation(of: words)?.path, (try? ControllerStateStore.exists(in: folder)) == true,
            let store = try? await ControllerStateStore.open(folder: folder)
        else { return nil }
        return try? await store.closing(read)
    }
}
