import AccessoryModel
import HAPController
import HAPCore
import Hosting

/// The results of reading or writing characteristics.
struct CharacteristicReport: Sendable {
    let found: [FoundCharacteristic]
    let results: [CharacteristicResult]
    /// Whether the names of accessories are shown, because there are several.
    let isBridge: Bool

    /// Returns a line for each characteristic that succeeded.
    ///
    /// - Parameter values: The values to show if the results have none.
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

    /// Returns all characteristics as JSON, each with its status.
    func json(values: [CharacteristicValue]? = nil) -> String {
        let shown = values ?? []
        return JSONWriter.line { writer in
            writer.list("characteristics", zip(found, results).enumerated()) { item, writer in
                let (position, (found, result)) = item
                let written = result.isSuccess && shown.indices.contains(position) ? shown[position] : nil
                writer.members(of: found, value: result.value ?? written)
                writer.member("status", result.code)
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
