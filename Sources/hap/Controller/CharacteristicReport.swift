import AccessoryModel
import HAPController
import HAPCore

/// What came of reading or writing characteristics.
struct CharacteristicReport: Sendable {
    let found: [FoundCharacteristic]
    let results: [CharacteristicResult]
    /// Whether accessories are named: there are several.
    let isBridge: Bool

    /// A line for each that succeeded.
    ///
    /// - Parameter values: the values to show; those of the results when there are none.
    func text(values: [CharacteristicValue]? = nil) -> String {
        let shown = values ?? []
        let rows = zip(found, results).enumerated()
            .compactMap { position, pair -> [String]? in
                let (found, result) = pair
                guard result.isSuccess else { return nil }
                let value = result.value ?? (shown.indices.contains(position) ? shown[position] : nil)
                return [
                    result.id.description, found.title(onBridge: isBridge), found.characteristic.text(of: value),
                ]
            }
        return TextTable.text(rows)
    }

    /// All of them, each with its status.
    func json(values: [CharacteristicValue]? = nil) -> String {
        let shown = values ?? []
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("characteristics")
        writer.beginArray()
        for (position, (found, result)) in zip(found, results).enumerated() {
            writer.beginObject()
            let written = result.isSuccess && shown.indices.contains(position) ? shown[position] : nil
            writer.members(of: found, value: result.value ?? written)
            writer.key("status")
            writer.value(result.code)
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
        return String(decoding: writer.finish(), as: UTF8.self) + "\n"
    }
}

extension FoundCharacteristic {
    /// What it is called in a line of its own.
    func title(onBridge isBridge: Bool) -> String {
        let name = isBridge ? accessory.name ?? accessory.aid.description : nil
        return ((name.map { "\($0)/" } ?? "") + path).withVisibleControls
    }
}
