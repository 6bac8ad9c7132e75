internal import PropertyLists

/// An object of a keyed archive whose class is not one of Foundation's value classes.
struct ArchivedObject: Hashable {
    /// The object number, or `nil` if the object is inline.
    var uid: UInt32?
    /// The name of its class; empty if the archive does not contain it.
    var className: String
    /// The properties, which are not decoded yet, including `$class`.
    var fields: PropertyListDictionary
}
