import ArgumentParser

extension ArgumentHelp {
    /// Returns the help of an argument or option.
    ///
    /// - Parameters:
    ///   - name: The name of the value in the usage.
    ///   - text: The description.
    static func value(_ name: String, _ text: String) -> ArgumentHelp {
        ArgumentHelp(text, valueName: name)
    }
}
