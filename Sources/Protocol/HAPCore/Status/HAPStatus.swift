/// The result of one characteristic's part of a request, or of a whole JSON request that failed.
///
/// HAP: §15
public enum HAPStatus: Int32, Sendable, Hashable, CaseIterable {
    /// The item succeeded.
    case success = 0
    /// The object is for admins only, or `/identify` was sent to a paired accessory.
    case insufficientPrivileges = -70_401
    /// The device has failed or cannot be reached.
    case unableToPerform = -70_402
    /// The device is busy; the same request may succeed later.
    case busy = -70_403
    /// The characteristic cannot be written.
    case readOnly = -70_404
    /// The characteristic cannot be read.
    case writeOnly = -70_405
    /// The characteristic sends no events.
    case notificationNotSupported = -70_406
    /// Too many items, or buffers full.
    case outOfResources = -70_407
    /// The device did not answer in time.
    case timedOut = -70_408
    /// No such accessory or characteristic.
    case doesNotExist = -70_409
    /// The value, or the way it was sent, is not valid.
    case invalidValue = -70_410
    /// The authorization data was refused, or a session is needed.
    case insufficientAuthorization = -70_411
    /// The device's state does not allow it now.
    case notAllowedInCurrentState = -70_412
}

extension HAPStatus: CustomStringConvertible {
    /// The code with its meaning, such as `-70410 (invalid value in request)`.
    public var description: String {
        "\(rawValue) (\(meaning))"
    }

    /// The meaning in HAP's own words.
    public var meaning: String {
        switch self {
        case .success: "success"
        case .insufficientPrivileges: "insufficient privileges"
        case .unableToPerform: "unable to perform operation"
        case .busy: "resource busy"
        case .readOnly: "cannot write to read-only characteristic"
        case .writeOnly: "cannot read from write-only characteristic"
        case .notificationNotSupported: "notification not supported"
        case .outOfResources: "out of resources"
        case .timedOut: "operation timed out"
        case .doesNotExist: "resource does not exist"
        case .invalidValue: "invalid value in request"
        case .insufficientAuthorization: "insufficient authorization"
        case .notAllowedInCurrentState: "not allowed in current state"
        }
    }
}

extension HAPStatus {
    /// Returns the text of a status code: its description in HAP, or its number if HAP does not define it.
    package static func text(ofCode code: Int64) -> String {
        Int32(exactly: code).flatMap(HAPStatus.init)?.description ?? "\(code) (a status that HAP does not know)"
    }
}
