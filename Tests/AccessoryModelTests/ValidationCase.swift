import AccessoryModel
import HAPCore
import Testing

/// A value that a controller writes to a characteristic, with the expected result.
struct ValidationCase: Sendable, CustomTestStringConvertible {
    let metadata: CharacteristicMetadata
    let json: JSONValue
    /// The expected value, or `nil` if the write is refused.
    let value: CharacteristicValue?
    /// The expected value with `--strict`, or `nil` if the write is refused.
    let strictValue: CharacteristicValue?

    /// Creates a case with the same result in both modes.
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
