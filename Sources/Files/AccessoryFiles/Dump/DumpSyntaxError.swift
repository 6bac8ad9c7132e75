internal import Documents
internal import HAPCore

/// The messages for dumps that are not valid JSON.
enum DumpSyntaxError {
    /// Returns the message for an error of the JSON reader.
    ///
    /// - Parameter offset: The byte at which the reader stopped.
    static func reason(
        of error: ProtocolError,
        at offset: Int,
        in text: [UInt8],
        within limits: JSONLimits
    ) -> String {
        switch JSONSyntaxError(rawValue: error.reason) {
        case .tooDeep:
            "this is not JSON: \(error.reason), \(limits.maximumDepth); dump the device again"
        case .tooManyValues:
            "this is not JSON: \(error.reason), \(limits.maximumValues); divide it into several files"
        case let fault:
            "this is not JSON: \(error.reason); \(remedy(for: fault, text: text, offset))"
        }
    }

    private static func remedy(for fault: JSONSyntaxError?, text: [UInt8], _ offset: Int) -> String {
        let isInfinity = text[offset...].starts(with: "Infinity".utf8)
        if isInfinity || text[offset...].starts(with: "NaN".utf8) {
            return "JSON has no NaN and no infinity, so write a number, or null"
        }
        guard let fault else { return "correct the text here, or dump the device again" }
        let end = text[..<offset].last { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        let remedy = fault.remedy(isAfterComma: end == UInt8(ascii: ","))
        let isCutOff = fault == .missingValue || fault == .unterminatedString
        return isCutOff ? "\(remedy), or dump the device again: the file may be cut off" : remedy
    }
}
