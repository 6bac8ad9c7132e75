import FoundationEssentials
import Hosting
import Storage

/// The folder that stores the persistent state of servers.
struct StateLocation: Sendable, Hashable {
    /// The absolute path, which commands in other folders can use.
    let path: String

    /// Takes the given path, else `$XDG_STATE_HOME/hap`, else `~/.local/state/hap`.
    ///
    /// - Throws: ``CommandFailure`` when no path is given and the environment has neither variable.
    init(
        _ path: String?,
        environment: [String: String] = CommandContext.current.environment
    ) throws {
        if let path, !path.isEmpty {
            let folder = FileManager.default.currentDirectoryPath
            guard path.hasPrefix("/") || folder.hasPrefix("/") else {
                throw CommandFailure.usage("The current folder no longer exists; change to another one.")
            }
            self.path = path.hasPrefix("/") ? path : "\(folder)/\(path.trimmingPrefix("./"))"
        } else if let folder = DefaultStateFolder.path(in: environment) {
            self.path = folder
        } else {
            throw CommandFailure.usage("Neither XDG_STATE_HOME nor HOME is set; name a folder with --state.")
        }
    }

    /// Takes the value of `--state` from the words of a command line that is completed, or else the default folder.
    ///
    /// Returns `nil` when no folder is known.
    init?(of words: [String]) {
        try? self.init(words.firstIndex(of: "--state").flatMap { words.dropFirst($0 + 1).first })
    }
}
