public import AccessoryModel

/// The types that an outlet or a switch may count as.
public enum AssociatedTypes {
    /// The types of services that an outlet or a switch can control, and that are only on or off.
    ///
    /// HomeKit lets users choose light or fan instead of the type itself. Garage doors and locks are excluded, because
    /// a socket that switches one cannot know its state.
    public static let allowed: [ServiceType] = [.lightbulb, .fan, .outlet, .switch]

    /// Returns whether a service of one type may count as another type.
    public static func allows(_ associated: ServiceType, for type: ServiceType) -> Bool {
        (type == .outlet || type == .switch) && allowed.contains(associated)
    }
}
