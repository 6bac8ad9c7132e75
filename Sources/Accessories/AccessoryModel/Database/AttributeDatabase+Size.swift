internal import HAPCore

/// The sizes of a database's responses.
extension AttributeDatabase {
    /// The maximum number of bytes of the body of `GET /accessories`, which is the limit of hap's own controller.
    ///
    /// A value that would exceed it is refused: by ``init(_:identifiers:isVerbatim:)`` with an error, in a write with
    /// −70407, and elsewhere like an invalid value.
    package static let maximumBodyBytes = 16 << 20

    /// Returns whether the characteristic at `index` can have a value of this size.
    ///
    /// The value must fit into a response of its own, and all values together must fit into the body of `GET
    /// /accessories`.
    ///
    /// - Parameter growth: The number of additional bytes of other values that are set at the same time.
    func hasRoom(for value: CharacteristicValue?, at index: Int, besides growth: Int = 0) -> Bool {
        let size = value.maximumJSONSize
        return size <= valueSizes[index]
            || size <= ResponseBudget.maximumValueBytes
                && size - valueSizes[index] <= Self.maximumBodyBytes - bodySize - growth
    }

    /// Computes the size of the body, which is the structure plus the values, and throws if it is too large.
    mutating func checkSize(ofStructure structure: Int) throws(ModelError) {
        bodySize = valueSizes.reduce(structure) { $0 + $1 + Self.valueKeySize }
        guard bodySize <= Self.maximumBodyBytes else {
            throw ModelError(
                .tooMany,
                at: "server",
                "the response to /accessories takes up to \(bodySize) bytes, but the limit is \(Self.maximumBodyBytes)"
                    + "; shorten values, or serve fewer accessories or services"
            )
        }
    }

    /// The number of bytes of `,"value":`.
    private static let valueKeySize = 9

    /// Throws if a value does not fit into any response.
    static func checkSize(of value: CharacteristicValue?, at path: @autoclosure () -> String) throws(ModelError) {
        let size = value.maximumJSONSize
        guard size <= ResponseBudget.maximumValueBytes else {
            throw ModelError(
                .tooMany,
                at: path(),
                "the value takes \(size) bytes in JSON; the limit is \(ResponseBudget.maximumValueBytes); shorten it"
            )
        }
    }
}
