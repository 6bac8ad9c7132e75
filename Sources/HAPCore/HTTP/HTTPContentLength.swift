/// Reads the value of a Content-Length header.
enum HTTPContentLength {
    /// The length; `Int.max` for one that no integer holds, which is beyond every limit.
    static func parse(_ value: Span<UInt8>, location: StaticString) throws(ProtocolError) -> Int {
        guard !value.isEmpty else { throw ProtocolError(.http, "an empty Content-Length", at: "\(location)") }
        var length = 0
        for position in 0..<value.count {
            guard let digit = value[position].decimalDigit else {
                throw ProtocolError(.http, "a Content-Length that is no decimal number", at: "\(location)")
            }
            let (shifted, multiplicationOverflow) = length.multipliedReportingOverflow(by: 10)
            let (sum, additionOverflow) = shifted.addingReportingOverflow(Int(digit))
            length = multiplicationOverflow || additionOverflow ? .max : sum
        }
        return length
    }
}
