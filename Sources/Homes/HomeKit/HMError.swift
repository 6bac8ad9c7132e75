/// The reason why a request failed.
///
/// ``code`` tells the kind of failure; `localizedDescription` says what happened and, where it is known, what to do.
public struct HMError: CustomNSError, LocalizedError, Hashable, @unchecked Sendable {
    /// The kind of failure.
    public let code: Code
    /// More about the failure, with Foundation's keys.
    public let userInfo: [String: Any]

    /// Creates an error.
    public init(_ code: Code, userInfo: [String: Any] = [:]) {
        self.code = code
        self.userInfo = userInfo
    }

    /// Creates the error that an `NSError` describes; a code that is not known becomes `unexpectedError`.
    public init(_nsError error: NSError) {
        self.init(Code(rawValue: error.code) ?? .unexpectedError, userInfo: error.userInfo)
    }

    init(_ code: Code, _ text: String) {
        self.init(code, userInfo: [NSLocalizedDescriptionKey: text])
    }

    /// The domain of the framework's errors, `HMErrorDomain`.
    public static var errorDomain: String { HMErrorDomain }
    /// The number of ``code``.
    public var errorCode: Int { code.rawValue }
    /// The same as ``userInfo``.
    public var errorUserInfo: [String: Any] { userInfo }
    /// What happened, in sentences.
    public var errorDescription: String? { userInfo[NSLocalizedDescriptionKey] as? String ?? "\(code)" }

    /// Returns whether both errors have the same code.
    public static func == (lhs: HMError, rhs: HMError) -> Bool { lhs.code == rhs.code }

    /// Hashes the code.
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension HMError.Code {
    /// Returns whether an error has a code, for `catch HMError.notFound`.
    public static func ~= (code: HMError.Code, error: any Error) -> Bool { (error as? HMError)?.code == code }
}
