/// The class of objects in a keyed archive, with its superclasses.
struct ArchivedClass: Hashable {
    /// The name of the class.
    let name: String
    /// The names of the class and of its superclasses, in this order.
    let chain: [String]

    /// Creates a class whose superclasses are these and `NSObject`.
    init(_ name: String, _ ancestors: String...) {
        self.name = name
        chain = [name] + ancestors + ["NSObject"]
    }

    static let mutableArray = ArchivedClass("NSMutableArray", "NSArray")
    static let dictionary = ArchivedClass("NSDictionary")
    static let uuid = ArchivedClass("NSUUID")
    static let decimal = ArchivedClass("NSDecimalNumberPlaceholder", "NSDecimalNumber", "NSNumber", "NSValue")
}
