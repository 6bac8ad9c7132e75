import AccessoryFiles
import AccessoryModel
import Documents
import HAPCore
import Simulation
import TestSupport
import Testing

/// Tests a simulated day of every definition in the folder Accessories.
@Suite
struct GalleryDayTests {
    @Test(arguments: GalleryFile.all)
    func simulatedDayIsDeterministic(file: GalleryFile) throws {
        let first = try day(of: file, seed: 1)
        #expect(try day(of: file, seed: 1) == first)
        // Each event is sent to every controller, so there must not be too many.
        #expect(first.count < 5_000)
    }

    /// Returns the events of a simulated day.
    ///
    /// Every ten minutes a controller writes the maximum or the minimum of a characteristic in turn, and a person
    /// operates the devices.
    private func day(of file: GalleryFile, seed: UInt64) throws -> [String] {
        let document = try AccessoryFile.read(file.bytes, name: file.path, include: GalleryFile.includedFile).document
        var identifiers = IdentifierMap()
        var database = try AttributeDatabase(
            document.makeAccessories(isSimulated: true, seed: seed),
            identifiers: &identifiers
        )
        var events = Self.lines(database.startBehaviors(at: .zero), at: .zero)
        let writable = database.characteristics.indices.filter {
            database.characteristics[$0].permissions.isSuperset(of: [.read, .write])
        }
        let commands: [BehaviorCommand] = [.stop, .obstruct, .clearObstruction, .press(.single), .press(.double)]
        for turn in 0..<144 {
            let now = MonotonicInstant.zero.advanced(by: .seconds(Int64(turn) * 600))
            while let deadline = database.nextDeadline, deadline <= now {
                events += Self.lines(database.advanceBehaviors(to: deadline), at: deadline)
                guard events.count < 100_000 else { return events }
            }
            for service in database.services.indices {
                let command = commands[(turn + service) % commands.count]
                events += Self.lines(database.perform(command, on: service, at: now) ?? ChangeSet(), at: now)
            }
            guard !writable.isEmpty else { continue }
            let index = writable[turn % writable.count]
            let metadata = database.characteristics[index].metadata
            guard let value = Self.value(of: metadata, isMaximum: turn / writable.count % 2 == 0) else { continue }
            var changes = ChangeSet()
            let refusals = database.commit([AcceptedWrite(index: index, value: value)], at: now, into: &changes)
            events += Self.lines(changes, at: now) + refusals.map { "\($0.key) refused: \($0.value)" }
        }
        return events
    }

    private static func lines(_ changes: ChangeSet, at now: MonotonicInstant) -> [String] {
        changes.changes.map { change in
            let value = change.value.map { "\($0)" } ?? "nothing"
            return "\(now.nanoseconds) \(change.id.aid.rawValue).\(change.id.iid.rawValue) \(value)"
        }
    }

    /// Returns the minimum or the maximum, or `nil` if there is none.
    private static func value(of metadata: CharacteristicMetadata, isMaximum: Bool) -> CharacteristicValue? {
        let numbers = metadata.validValues
        let number = isMaximum ? numbers.last ?? metadata.maximum : numbers.first ?? metadata.minimum
        return metadata.format == .bool ? .bool(isMaximum) : number.map { .number($0) }
    }
}
