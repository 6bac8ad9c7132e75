/// The state folder of users who name none.
package enum DefaultStateFolder {
    /// Returns `$XDG_STATE_HOME/hap`, else `~/.local/state/hap`; `nil` if the environment has neither variable.
    package static func path(in environment: [String: String]) -> String? {
        if let base = environment["XDG_STATE_HOME"], base.hasPrefix("/") { return base + "/hap" }
        guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
        return home + "/.local/state/hap"
    }
}
