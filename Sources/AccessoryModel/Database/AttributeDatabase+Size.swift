internal import HAPCore

/// How large the answers of a database can be.
extension AttributeDatabase {
    /// The most bytes of the body of `GET /accessories`, which is as much as a controller of ours takes.
    ///
    /// A value that would make it larger is refused: by ``init(_:identifiers:isVerbatim:)`` with an error, in a write with
    /// −70407, and everywhere else like a value that is not valid.
    package static let maximumBodyBytes = 16 << 20

    /// Whether the characteristic at `index` can have this value, as large as it is.
    ///
    /// A value can be sent alone, and all values together fit into the body of `GET /accessories`.
    ///
    /// - Parameter growth: How many more bytes other values will take that are set at the same time.
    func hasRoom(for value: CharacteristicValue?, at index: Int, besides growth: Int = 0) -> Bool {
        let size = value.maximumJSONSize
        return size <= valueSizes[index]
            || size <= ResponseBudget.maximumValueBytes
                && size - valueSizes[index] <= Self.maximumBodyBytes - bodySize - growth
    }

    /// Finds how many bytes everything takes in JSON, beginning with those of the structure, and throws when that is too
    /// much.
    mutating func checkSize(ofStructure structure: Int) throws(ModelError) {
        bodySize = valueSizes.reduce(structure) { $0 + $1 + Self.valueKeySize }
        guard bodySize <= Self.maximumBodyBytes else {
            throw ModelError(
                .tooMany,
                at: "server",
                "/accessories takes up to \(bodySize) bytes, more than the \(Self.maximumBodyBytes) that a server "
                    + "answers with; shorten values, or serve fewer accessories or services"
            )
        }
    }

    /// The bytes of `,"value":`.
    private static let valueKeySize = 9

    /// Throws when a value is larger than any answer has room for.
    static func checkSize(of value: CharacteristicValue?, at path: @autoclosure () -> String) throws(ModelError) {
        let size = value.maximumJSONSize
        guard size <= ResponseBudget.maximumValueBytes else {
            throw ModelError(
                .tooMany,
                at: path(),
                "the value takes \(size) bytes in JSON, more than the \(ResponseBudget.maximumValueBytes) that one value "
                    + "may take; shorten it"
            )
        }
    }
}
