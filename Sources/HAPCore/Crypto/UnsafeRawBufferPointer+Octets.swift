extension UnsafeRawBufferPointer {
    /// The first byte's address, for C functions that take no null.
    ///
    /// Only for buffers that are not empty.
    var octets: UnsafePointer<UInt8> {
        guard let baseAddress else { preconditionFailure("an empty buffer has no address") }
        return baseAddress.assumingMemoryBound(to: UInt8.self)
    }
}

extension UnsafeMutableRawBufferPointer {
    /// The first byte's address, for C functions that take no null.
    ///
    /// Only for buffers that are not empty.
    var octets: UnsafeMutablePointer<UInt8> {
        guard let baseAddress else { preconditionFailure("an empty buffer has no address") }
        return baseAddress.assumingMemoryBound(to: UInt8.self)
    }
}
