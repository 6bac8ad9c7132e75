internal import CQREncode

/// A QR code as a square of modules.
package struct QRCode: Sendable {
    /// The width in modules of the light frame that a reader needs around the code.
    package static let quietZone = 4

    /// The number of modules on each side, without the quiet zone.
    package let width: Int
    /// The modules row by row, `true` for dark ones.
    private let darkModules: [Bool]

    /// Encodes an alphanumeric payload, such as a setup payload, at error correction level Q.
    ///
    /// The version is the smallest that can hold the payload: version 2 for the 20 characters of a setup payload.
    /// Returns `nil` if the payload is empty, too long, or has a character outside the QR alphanumeric set, such as a
    /// lowercase letter.
    ///
    /// HAP: §3
    package init?(_ payload: String) {
        let characters = [UInt8](payload.utf8)
        guard let length = Int32(exactly: characters.count), let input = QRinput_new2(0, QR_ECLEVEL_Q) else {
            return nil
        }
        defer { QRinput_free(input) }
        guard QRinput_append(input, QR_MODE_AN, length, characters) == 0 else { return nil }
        guard let code = QRcode_encodeInput(input) else { return nil }
        defer { QRcode_free(code) }
        width = Int(code.pointee.width)
        // libqrencode stores each module in a byte, whose lowest bit is set for a dark module.
        darkModules = UnsafeBufferPointer(start: code.pointee.data, count: width * width).map { $0 & 1 == 1 }
    }

    /// Returns whether a module is dark; everything outside of the code is light.
    package func isDark(_ column: Int, _ row: Int) -> Bool {
        let modules = 0..<width
        return modules.contains(column) && modules.contains(row) && darkModules[row * width + column]
    }

    /// The code with its quiet zone as an SVG image, black on white.
    package var svg: String {
        let edge = width + 2 * Self.quietZone
        var path = ""
        for row in 0..<width {
            for column in 0..<width where isDark(column, row) {
                path += "M\(column + Self.quietZone) \(row + Self.quietZone)h1v1h-1z"
            }
        }
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(edge) \(edge)" shape-rendering="crispEdges">\
            <title>QR code</title><path fill="#fff" d="M0 0h\(edge)v\(edge)H0z"/><path d="\(path)"/></svg>
            """
    }
}
