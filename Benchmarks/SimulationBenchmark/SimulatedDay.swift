import AccessoryModel
import Foundation
import HAPCore

/// The changes of simulated accessories in one day, and the processor time that they take.
struct SimulatedDay {
    private(set) var servers = 0
    private(set) var changes = 0
    /// The FNV-1a hash of all changes, in order.
    private(set) var digest: UInt64 = 0xCBF2_9CE4_8422_2325
    /// The processor time in seconds.
    private(set) var seconds = 0.0

    /// Simulates the accessories of one server for a day.
    mutating func simulate(_ accessories: [Accessory]) throws {
        servers += 1
        var identifiers = IdentifierMap()
        var database = try AttributeDatabase(accessories, identifiers: &identifiers)
        let began = Self.processorTime
        record(database.startBehaviors(at: .zero))
        for hour in 0..<24 {
            let now = MonotonicInstant.zero.advanced(by: .seconds(3_600 * hour))
            var written = ChangeSet()
            _ = database.commit(writes(in: database, isHigh: hour % 2 == 0), at: now, into: &written)
            record(written)
            let end = now.advanced(by: .seconds(3_600))
            while let deadline = database.nextDeadline, deadline < end {
                record(database.advanceBehaviors(to: deadline))
            }
        }
        seconds += Self.processorTime - began
    }

    /// Returns writes that set every writable characteristic to one end of its range.
    private func writes(in database: AttributeDatabase, isHigh: Bool) -> [AcceptedWrite] {
        database.characteristics.enumerated()
            .compactMap { index, characteristic in
                guard characteristic.permissions.contains(.write) else { return nil }
                let metadata = characteristic.metadata
                let value: CharacteristicValue
                switch metadata.format {
                case .bool: value = .bool(isHigh)
                case .uint8, .uint16, .uint32, .uint64, .int, .float:
                    let end = isHigh ? metadata.maximum : metadata.minimum
                    value = .number(end ?? (isHigh ? 1 : 0))
                case .string, .tlv8, .data: return nil
                }
                return metadata.value(from: value, isStrict: false).map { AcceptedWrite(index: index, value: $0) }
            }
    }

    private mutating func record(_ set: ChangeSet) {
        for change in set.changes {
            changes += 1
            mix(change.id.aid.rawValue)
            mix(change.id.iid.rawValue)
            switch change.value {
            case .bool(let flag): mix(flag ? 1 : 2)
            case .number(let number): mix(number.double.bitPattern)
            case .string(let text): mix(UInt64(text.utf8.count))
            case .data(let bytes): mix(UInt64(bytes.count))
            case nil: mix(0)
            }
        }
    }

    private mutating func mix(_ number: UInt64) {
        digest = (digest ^ number) &* 0x0000_0100_0000_01B3
    }

    private static var processorTime: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
