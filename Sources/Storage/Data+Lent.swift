package import Foundation

extension Data {
    /// The bytes of a secret as GRDB takes them, without a copy; must not outlive the loan.
    package static func lent(_ secret: UnsafeRawBufferPointer) -> Data {
        guard let base = secret.baseAddress else { return Data() }
        return Data(bytesNoCopy: UnsafeMutableRawPointer(mutating: base), count: secret.count, deallocator: .none)
    }
}
