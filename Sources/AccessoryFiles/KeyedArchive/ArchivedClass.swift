/// A class that objects of a keyed archive are of, with what it descends from.
struct ArchivedClass: Hashable {
    /// Its name.
    let name: String
    /// Its own name and those of its ancestors, the nearest first.
    let chain: [String]

    /// Creates a class that descends from `NSObject` by way of these.
    init(_ name: String, _ ancestors: String...) {
        self.name = name
        chain = [name] + ancestors + ["NSObject"]
    }

    static let mutableArray = ArchivedClass("NSMutableArray", "NSArray")
    static let dictionary = ArchivedClass("NSDictionary")
    static let uuid = ArchivedClass("NSUUID")
    static let decimal = ArchivedClass("NSDecimalNumberPlaceholder", "NSDecimalNumber", "NSNumber", "NSValue")
}
