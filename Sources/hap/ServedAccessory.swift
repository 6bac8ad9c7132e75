import AccessoryModel
import HAPCore
import Simulation

/// What one server serves: an accessory that stands alone, or a bridge with what is behind it.
struct ServedAccessory: Sendable {
    /// What its state is kept under.
    var key: String
    var name: String
    var category: AccessoryCategory
    /// The first is the one that is found and paired.
    var accessories: [Accessory]

    /// The Kilgo garage so many times, each a server of its own: `Kilgo Garage`, `Kilgo Garage 2` and so on.
    static func garages(_ count: Int) -> [ServedAccessory] {
        (1...max(count, 1))
            .map { number in
                let garage = KilgoGarage.accessory(number: number)
                return ServedAccessory(
                    key: garage.key,
                    name: garage.key,
                    category: KilgoGarage.category,
                    accessories: [garage]
                )
            }
    }
}
