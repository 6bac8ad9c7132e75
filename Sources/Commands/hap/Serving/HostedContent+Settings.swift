import Documents
import Hosting

extension HostedContent {
    /// Loads the accessories to serve: those of the files, and those whose definitions the home file names.
    ///
    /// - Parameters:
    ///   - settings: The files and how they are served.
    ///   - home: The home file of the settings.
    /// - Returns: The accessories, and the warnings about them.
    /// - Throws: ``CommandFailure`` with the errors in the home file, or in all other files.
    static func load(
        of settings: ServeSettings,
        home: HomeSource?
    ) throws(CommandFailure) -> (served: [HostedContent], warnings: [Diagnostic]) {
        let loaded = try load(
            settings.files,
            home: home,
            copies: settings.copies,
            hasFolder: settings.accessoriesFolder != nil,
            settings.host.simulation,
            seed: settings.host.seed ?? 0
        )
        try settings.host.checkServerCount(loaded.served.count)
        return loaded
    }
}
