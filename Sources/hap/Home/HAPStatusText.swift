import HAPCore

/// A status in HAP's words, a vendor's as its number.
enum HAPStatusText {
    static func text(_ code: Int64) -> String {
        Int32(exactly: code).flatMap(HAPStatus.init)?.description ?? "\(code) (a status that HAP does not know)"
    }
}
