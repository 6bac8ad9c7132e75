import AccessoryModel
import HAPCore
import Testing

/// What a controller writes to a characteristic, and what it comes to.
struct ValidationCase: Sendable, CustomTestStringConvertible {
    let metadata: CharacteristicMetadata
    let json: JSONValue
    /// `nil` when it is refused.
    let value: CharacteristicValue?
    /// The same with `--strict`.
    let strictValue: CharacteristicValue?

    /// A value that is the same or refused in both modes.
    init(_ metadata: CharacteristicMetadata, _ json: JSONValue, _ value: CharacteristicValue?) {
        self.init(metadata, json, value, strict: value)
    }

    init(
        _ metadata: CharacteristicMetadata,
        _ json: JSONValue,
        _ value: CharacteristicValue?,
        strict: CharacteristicValue?
    ) {
        self.metadata = metadata
        self.json = json
        self.value = value
        strictValue = strict
    }

    var testDescription: String {
        "\(metadata.format) \(String(decoding: json.encoded.prefix(60), as: UTF8.self))"
    }

    func check(sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(metadata.value(from: json, isStrict: false) == value, sourceLocation: sourceLocation)
        #expect(metadata.value(from: json, isStrict: true) == strictValue, sourceLocation: sourceLocation)
    }
}
