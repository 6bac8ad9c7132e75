/// An object of a keyed archive that is of a class of its own.
struct ArchivedObject: Hashable {
    /// Its number; `nil` when it stands where it is used.
    var uid: UInt32?
    /// The name of its class, empty when the archive does not tell.
    var className: String
    /// Its properties, not looked at yet; `$class` is one of them.
    var fields: PropertyListDictionary
}
