import Foundation

/// An export of Apple's HomeKit Accessory Simulator, which is stored next to the repository and not in it.
enum RealExport {
    /// The bytes of the export, or `nil` if the file does not exist.
    static let bytes: [UInt8]? = {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let file = root.appending(path: "../shared/hasaccessory/Lightbulb.hasaccessory")
        return (try? Data(contentsOf: file)).map { Array($0) }
    }()
}
