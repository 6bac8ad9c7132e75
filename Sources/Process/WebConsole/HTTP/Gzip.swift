internal import CZlib

extension [UInt8] {
    /// Returns the bytes compressed in the format of gzip; `nil` if zlib fails.
    func compressedWithGzip() -> [UInt8]? {
        var stream = z_stream()
        // Adding 16 selects the format of gzip.
        let window = MAX_WBITS + 16
        let size = Int32(MemoryLayout<z_stream>.size)
        let strategy = Z_DEFAULT_STRATEGY
        guard deflateInit2_(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, window, 8, strategy, ZLIB_VERSION, size) == Z_OK
        else { return nil }
        defer { deflateEnd(&stream) }
        var input = self
        var output = [UInt8](repeating: 0, count: Int(deflateBound(&stream, UInt(count))))
        let status = input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                stream.next_in = input.baseAddress
                stream.avail_in = UInt32(clamping: input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(clamping: output.count)
                return deflate(&stream, Z_FINISH)
            }
        }
        guard status == Z_STREAM_END else { return nil }
        return Array(output.prefix(Int(stream.total_out)))
    }
}
