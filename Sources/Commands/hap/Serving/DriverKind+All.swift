import Hosting

extension DriverKind {
    /// The drivers that accessories can have.
    ///
    /// To add one, add it here.
    static let all = [command]
}
