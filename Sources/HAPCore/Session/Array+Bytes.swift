extension [UInt8] {
    /// Lends the bytes, and throws what `body` throws by its type.
    func withBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try withUnsafeBytes { (bytes) -> Swift.Result<Result, Failure> in
            do throws(Failure) {
                return .success(try body(bytes))
            } catch {
                return .failure(error)
            }
        }
        .get()
    }
}
