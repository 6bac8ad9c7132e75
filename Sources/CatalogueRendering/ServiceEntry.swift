/// A service type as the input describes it; keys that the catalogue does not need are not read.
package struct ServiceEntry: Decodable, Hashable, Sendable {
    /// The name for people.
    package var name: String
    /// The name in files.
    package var id: String
    /// Other names in use.
    package var aliases: [String]?
    /// The full UUID.
    package var uuid: String
    /// The short form of an Apple-defined type.
    package var short: String?
    /// The characteristics that every such service has.
    package var required: [Reference]
    /// The characteristics that such a service may have.
    package var optional: [Reference]

    /// A characteristic, named twice so that a slip in either shows.
    package struct Reference: Decodable, Hashable, Sendable {
        /// The characteristic's name in files.
        package var id: String
        /// The short form of its type.
        package var short: String?
    }
}
