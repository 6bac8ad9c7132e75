/// The body of `GET /accessories` as far as it has been composed.
struct RenderedBody: Sendable {
    /// The JSON of each accessory with its values, by where it is in the database.
    var accessories: [Int: [UInt8]] = [:]
    /// The whole, once it was put together.
    var body: [UInt8]?

    /// Drops what shows the values of an accessory, one of which has changed.
    mutating func forget(_ accessory: Int) {
        if body != nil || accessories[accessory] != nil {
            accessories[accessory] = nil
            body = nil
        }
    }
}
