public import AccessoryModel

/// What an outlet or a switch may count as.
public enum AssociatedTypes {
    /// The types whose services can be fed by an outlet or made by a switch and have nothing but on and off.
    ///
    /// HomeKit lets people choose lamp or fan beside what it is; a garage door or a lock that a socket switches would
    /// promise a state that nobody knows.
    public static let allowed: [ServiceType] = [.lightbulb, .fan, .outlet, .switch]

    /// Whether a service of one type may count as one of another.
    public static func allows(_ associated: ServiceType, for type: ServiceType) -> Bool {
        (type == .outlet || type == .switch) && allowed.contains(associated)
    }
}
