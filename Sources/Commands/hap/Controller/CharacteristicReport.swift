import AccessoryModel
import HAPController
import HAPCore

/// The results of reading or writing characteristics.
struct CharacteristicReport: Sendable {
    private let rows: [(found: FoundCharacteristic, result: CharacteristicResult, value: CharacteristicValue?)]
    /// Whether the names of accessories are shown, because there are several.
    private let isBridge: Bool

    /// - Parameter written: The written values; they are shown where the response contains no value.
    init(
        found: [FoundCharacteristic],
        results: [CharacteristicResult],
        written: [CharacteristicValue] = [],
        isBridge: Bool
    ) {
        self.isBridge = isBridge
        rows = zip(found, results).enumerated()
            .map { position, pair in
                let (found, result) = pair
                let shown = result.isSuccess && written.indices.contains(position) ? written[position] : nil
                return (found: found, result: result, value: result.value ?? shown)
            }
    }

    /// A line for each characteristic that succeeded.
    var text: String {
        let shown = rows.filter(\.result.isSuccess)
        return TextTable.text(
            shown.map { found, result, value in
                [result.id.description, found.title(onBridge: isBridge), found.characteristic.text(of: value)]
            }
        )
    }

    /// All characteristics as JSON, each with its status.
    var json: String {
        JSONWriter.line { writer in
            writer.list("characteristics", rows) { row, writer in
                writer.members(of: row.found, value: row.value)
                writer.member("status", row.result.code)
            }
        }
    }
}

extension FoundCharacteristic {
    /// Returns the name of the characteristic on a line of its own.
    func title(onBridge isBridge: Bool) -> String {
        let name = isBridge ? accessory.name ?? accessory.aid.description : nil
        return ((name.map { "\($0)/" } ?? "") + path).escapingControlCharacters
    }
}

extension JSONWriter {
    /// Writes the aid and the iid of a characteristic.
    mutating func members(of id: CharacteristicID) {
        member("aid", id.aid.rawValue)
        member("iid", id.iid.rawValue)
    }

    /// Writes the IDs and names of a characteristic, and its value with the name of the value.
    mutating func members(of found: FoundCharacteristic, value: CharacteristicValue?) {
        members(of: found.id)
        member("accessory", ifPresent: found.accessory.name)
        member("service", found.service.name)
        member("name", found.characteristic.name)
        member("value", value)
        member("valueName", ifPresent: value.flatMap { found.characteristic.name(of: $0) })
        member("unit", ifPresent: found.characteristic.metadata.unit?.rawValue)
    }
}
