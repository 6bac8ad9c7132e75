import AirPlayDriver
import CastDriver
import Hosting

extension DriverKind {
    /// The drivers that accessories can have.
    ///
    /// To add one, add it here, and its table to `DriverCatalog`.
    static let all = [command, cast, chromecast, airPlay]
}
