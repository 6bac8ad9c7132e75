import AccessoryModel
import HAPCore
import Testing

/// The database of an accessory with one simulated service, which has been started at the clock's zero.
struct SimulatedDatabase {
    private(set) var database: AttributeDatabase
    private var now = MonotonicInstant.zero
    private let service = 1

    init(_ service: Service) throws {
        var identifiers = IdentifierMap()
        let information = Service.accessoryInformation(
            name: "Simulated",
            manufacturer: "Kilgo Devices, Inc.",
            model: "S-1",
            serialNumber: "S1-1",
            firmware: "1.0.0"
        )
        database = try AttributeDatabase(
            [Accessory(key: "Simulated", services: [information, service], aid: .primary)],
            identifiers: &identifiers
        )
        _ = database.startBehaviors(at: now)
    }

    func value(_ type: CharacteristicType) -> CharacteristicValue? {
        database.characteristic(type, of: service).flatMap { database.value(at: $0) }
    }

    mutating func write(_ type: CharacteristicType, _ value: CharacteristicValue) {
        var changes = ChangeSet()
        guard let index = database.characteristic(type, of: service) else {
            Issue.record("the service has no \(type)")
            return
        }
        _ = database.commit([AcceptedWrite(index: index, value: value)], at: now, into: &changes)
    }

    mutating func advance(by duration: Duration) {
        now = now.advanced(by: duration)
        _ = database.advanceBehaviors(to: now)
    }

    mutating func applySensorInput(_ type: CharacteristicType, _ value: CharacteristicValue) {
        #expect(database.perform(.applySensorInput(BehaviorChange(type, value)), on: service, at: now) != nil)
    }
}
