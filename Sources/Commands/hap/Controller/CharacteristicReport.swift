import AccessoryModel
import Documents
import HAPController
import HAPCore
import Resources

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

    /// All characteristics, each with its status.
    static let format = Format<CharacteristicReport>(
        response: "CharacteristicResults",
        .written("characteristics", \.results, .list(of: result), "The characteristics, in the order of the command.")
    )

    private static let result = Format<PrintedCharacteristic>(
        response: "CharacteristicResult",
        properties: PrintedCharacteristic.properties(isDescribed: true)
            + [.written("status", \.status, .integer, "A HAP status; 0 is success.")]
    )

    private var results: [PrintedCharacteristic] {
        rows.map { row in
            var resource = PrintedCharacteristic(row.result.id, row.found, row.value)
            resource.status = row.result.code
            return resource
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

/// A characteristic with its value, as commands print it.
struct PrintedCharacteristic: Sendable {
    private var id: CharacteristicID
    private var found: FoundCharacteristic?
    private var value: CharacteristicValue?
    var status: Int64 = 0
    var time = ""

    /// - Parameter found: Its names, or `nil` if the accessory does not describe it.
    init(_ id: CharacteristicID, _ found: FoundCharacteristic?, _ value: CharacteristicValue?) {
        self.id = id
        self.found = found
        self.value = value
    }

    /// Returns the members, with or without the certainty that the accessory describes the characteristic.
    static func properties(isDescribed: Bool) -> [Property<PrintedCharacteristic>] {
        [
            .written("aid", \.id.aid.rawValue, .id, "The accessory's id."),
            .written("iid", \.id.iid.rawValue, .id, "The characteristic's id."),
            .written("accessory", \.found?.accessory.name, .string, "The name of the accessory, if it has one."),
            .written("service", \.found?.service.name, .string, "The name of the service.")
                .markedRequired(isDescribed),
            .written("name", \.found?.characteristic.name, .string, "The name of the characteristic.")
                .markedRequired(isDescribed),
            .written("value", \.value, .nullable(.value), "The value: bytes are Base64; null for none."),
            .written("valueName", \.valueName, .string, "The name of the value, such as Closed."),
            .written("unit", \.found?.characteristic.metadata.unit?.rawValue, .string, "The unit of the value."),
        ]
    }

    /// A change of the value, with its time.
    static let change = Format<PrintedCharacteristic>(
        response: "ValueChange",
        properties: [.written("time", \.time, .string, "The time of the change.")] + properties(isDescribed: false)
    )

    private var valueName: String? { value.flatMap { found?.characteristic.name(of: $0) } }
}
