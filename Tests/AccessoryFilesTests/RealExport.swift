import Foundation

/// An export of Apple's HomeKit Accessory Simulator that lies beside the repository and not in it.
enum RealExport {
    /// Its bytes, `nil` where there is none.
    static let bytes: [UInt8]? = {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let file = root.appending(path: "../shared/hasaccessory/Lightbulb.hasaccessory")
        return (try? Data(contentsOf: file)).map { Array($0) }
    }()
}
