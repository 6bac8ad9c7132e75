/// What kinds of files there are.
package enum AccessoryFileKind: Sendable, Hashable, CaseIterable {
    /// A definition in YAML.
    case yaml
    /// A definition in JSON.
    case json
    /// An export of Apple's HomeKit Accessory Simulator.
    case archive
    /// The answer of a device to `GET /accessories`.
    case dump
}
