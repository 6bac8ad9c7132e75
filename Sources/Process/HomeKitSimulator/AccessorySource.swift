public import Foundation
internal import HAPServer

/// What a ``HomeSimulator`` simulates.
public struct AccessorySource: Sendable {
    enum Kind: Sendable {
        case gallery([String])
        case file(String)
        case definition(String)
        case home(String)
    }

    let kind: Kind

    /// Accessories of the gallery, by the names of their files, such as `garage` and `thermostat`.
    ///
    /// The gallery is the folder Accessories of this package.
    public static func gallery(_ names: String...) -> AccessorySource {
        AccessorySource(kind: .gallery(names))
    }

    /// The accessory, or the bridge with its accessories, in a file that `hap serve` accepts.
    public static func file(_ path: String) -> AccessorySource { AccessorySource(kind: .file(path)) }

    /// The accessory in a definition.
    ///
    /// - Parameter text: The definition in YAML or JSON, without includes.
    public static func definition(_ text: String) -> AccessorySource {
        AccessorySource(kind: .definition(text))
    }

    /// The homes in a home file, with the accessories whose definitions it names.
    public static func home(_ path: String) -> AccessorySource { AccessorySource(kind: .home(path)) }
}

/// An accessory, or a bridge, of a ``HomeSimulator``.
public struct SimulatedAccessory: Sendable, Hashable {
    /// The name.
    public let name: String
    /// The setup code, such as `031-45-154`.
    public let setupCode: String
    /// The content of the QR code, for `HMAccessorySetupPayload`.
    public let setupPayload: URL
    /// Whether a controller is paired with it.
    public let isPaired: Bool

    init?(_ information: ServerInformation) {
        guard let payload = URL(string: information.setupURI) else { return nil }
        name = information.name
        setupCode = information.setupCode.text
        setupPayload = payload
        isPaired = information.isPaired
    }
}

/// The reason why a ``HomeSimulator`` cannot start or act, with what to do.
public struct HomeSimulatorError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The reason.
    public let description: String

    package init(_ description: String) { self.description = description }
}
