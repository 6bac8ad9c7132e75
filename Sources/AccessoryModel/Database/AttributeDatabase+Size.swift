internal import HAPCore

/// The sizes of a database's responses.
extension AttributeDatabase {
    /// The maximum number of bytes of the body of `GET /accessories`, which is as much as our controller accepts.
    ///
    /// A value that would make it larger is refused: by ``init(_:identifiers:isVerbatim:)`` with an error, in a write
    /// with −70407, and elsewhere like an invalid value.
    package static let maximumBodyBytes = 16 << 20

    /// Returns whether the characteristic at `index` can have a value of this size.
    ///
    /// A value can be sent alone, and all values together fit into the body of `GET /accessories`.
    ///
    /// - Parameter growth: The number of additional bytes of other values that are set at the same time.
    func hasRoom(for value: CharacteristicValue?, at index: Int, besides growth: Int = 0) -> Bool {
        let size = value.maximumJSONSize
        return size <= valueSizes[index]
            || size <= ResponseBudget.maximumValueBytes
                && size - valueSizes[index] <= Self.maximumBodyBytes - bodySize - growth
    }

    /// Computes the size of the JSON, starting with that of the structure, and throws if it is too large.
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

    /// Throws if a value does not fit into any response.
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
