extension ArraySlice<UInt8> {
    /// The big-endian number of up to eight bytes.
    package var bigEndian: UInt64 {
        reduce(0) { $0 << 8 | UInt64($1) }
    }
}
