import AccessoryModel
import HAPCore
import TestSupport
import Testing

@testable import Simulation

/// The invariants of every model of the catalog, with defaults and with every parameter at its minimum and maximum.
struct CatalogInvariantTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let arguments: [String: SimulationArgument]

        var testDescription: String {
            "\(name) \(arguments.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" })"
        }

        func behavior(seed: UInt64 = 7) -> any Behavior {
            guard let model = SimulationCatalog.model(named: name)?.model(arguments),
                let behavior = model.behavior(seed: seed)
            else { preconditionFailure("\(name) is in the catalog") }
            return behavior
        }
    }

    static let cases: [Case] = SimulationCatalog.models.flatMap { model in
        [Case(name: model.name, arguments: [:])]
            + [false, true]
            .map { atEnd in
                Case(name: model.name, arguments: arguments(of: model.parameters, atEnd: atEnd))
            }
    }

    @Test(arguments: cases)
    func nothingTrapsAndTheSameCallsGiveTheSameResults(_ subject: Case) {
        #expect(Self.hostileRun(subject, steps: 300) == Self.hostileRun(subject, steps: 300))
    }

    /// A device with the state of its owner and its own clock.
    private struct SavedRun {
        var device: any Behavior
        var known: [CharacteristicType: CharacteristicValue]
        var now = MonotonicInstant.zero

        init(_ subject: Case) {
            device = subject.behavior()
            known = CatalogInvariantTests.declared(by: subject)
            record(device.start(with: known, at: now))
        }

        mutating func write(_ writes: [BehaviorChange]) {
            let response = device.write(writes, at: now)
            for write in writes where response.refusals[write.type] == nil {
                known[write.type] = write.value
            }
            record(response.changes)
        }

        mutating func advance(to end: MonotonicInstant) {
            now = end
            record(device.advance(to: end))
        }

        /// Advances from deadline to deadline; returns `false` if a deadline is not later than the previous one.
        mutating func catchUp(to end: MonotonicInstant) -> Bool {
            for _ in 0..<30_000 {
                guard let deadline = device.nextDeadline, deadline <= end else { break }
                guard deadline > now else { return false }
                advance(to: deadline)
                _ = device.readings(at: now)
            }
            advance(to: end)
            return true
        }

        private mutating func record(_ changes: [BehaviorChange]) {
            #expect(Set(changes.map(\.type)).count == changes.count, "each characteristic once: \(changes)")
            for change in changes {
                known[change.type] = change.value
            }
        }

        var report: String {
            let values = known.sorted { $0.key.uuid.description < $1.key.uuid.description }
            return "\(values.map { "\($0.key) \($0.value)" }) \(device.readings(at: now))"
        }
    }

    @Test(arguments: cases)
    func pollingOftenOrOnceEndsTheSame(_ subject: Case) {
        var generator = SeededRandom(seed: 99)
        var often = SavedRun(subject)
        let declared = Self.declared(by: subject)
        for step in 0..<12 {
            often.write(Self.writes(of: declared, using: &generator))
            var once = often
            let end = often.now.advanced(by: .seconds(Int64(generator.next() % 5_000)))
            once.advance(to: end)
            guard often.catchUp(to: end) else {
                Issue.record("step \(step): a deadline that has passed")
                return
            }
            let (reported, expected) = (once.report, often.report)
            guard reported == expected else {
                Issue.record("step \(step): \(reported) is not \(expected)")
                return
            }
        }
    }

    @Test(arguments: cases)
    func aDayTakesAFewThousandEventsAtMost(_ subject: Case) {
        var stored = SavedRun(subject)
        let isTuned = !subject.arguments.isEmpty
        let end = MonotonicInstant.zero.advanced(by: .seconds(isTuned ? 3_600 : 86_400))
        var calls = 0
        while let deadline = stored.device.nextDeadline, deadline <= end, calls <= 10_000 {
            calls += 1
            stored.advance(to: deadline)
        }
        // A pattern with a period of a second changes twice per second, for an hour.
        #expect(calls <= (isTuned ? 7_202 : 3_000))
    }

    private static func arguments(
        of parameters: [SimulationParameter],
        atEnd: Bool
    ) -> [String: SimulationArgument] {
        var arguments: [String: SimulationArgument] = [:]
        for parameter in parameters {
            arguments[parameter.name] =
                switch parameter.kind {
                case .duration(let range), .durationOrCharacteristic(let range):
                    .duration(atEnd ? range.upperBound : range.lowerBound)
                case .number(let range): .number(atEnd ? range.upperBound : range.lowerBound)
                case .integer(let range): .number(Double(atEnd ? range.upperBound : range.lowerBound))
                case .flag: .flag(atEnd)
                case .choice(let words): (atEnd ? words.last : words.dropFirst().first).map { .choice($0) }
                }
        }
        return arguments
    }

    /// Returns the valid values that the catalog declares for the first service of the model.
    private static func declared(by subject: Case) -> [CharacteristicType: CharacteristicValue] {
        guard let type = SimulationCatalog.model(named: subject.name)?.services.first,
            let service = Catalog.services.first(where: { $0.type == type })
        else { return [:] }
        var values: [CharacteristicType: CharacteristicValue] = [:]
        for type in service.required + service.optional {
            guard let definition = Catalog.characteristics.first(where: { $0.type == type }) else { continue }
            values[type] = value(of: definition.metadata, number: 1)
        }
        return values
    }

    private static func value(of metadata: CharacteristicMetadata, number: UInt64) -> CharacteristicValue? {
        switch metadata.format {
        case .bool: return .bool(number % 2 == 1)
        case .string: return "text"
        case .tlv8, .data: return .data([])
        case .uint8, .uint16, .uint32, .uint64, .int, .float:
            if !metadata.validValues.isEmpty {
                return .number(metadata.validValues[Int(number % UInt64(metadata.validValues.count))])
            }
            let least = metadata.minimum?.double ?? 0
            let greatest = metadata.maximum?.double ?? 100
            return .integer(Int((least + (greatest - least) * Double(number % 5) / 4).rounded(.up)))
        }
    }

    private static func writes(
        of declared: [CharacteristicType: CharacteristicValue],
        using generator: inout SeededRandom
    ) -> [BehaviorChange] {
        var writes: [CharacteristicType: CharacteristicValue] = [:]
        for _ in 0..<generator.next() % 3 {
            let types = declared.keys.sorted { $0.uuid.description < $1.uuid.description }
            guard let type = types.randomElement(using: &generator),
                let definition = Catalog.characteristics.first(where: { $0.type == type })
            else { continue }
            writes[type] = value(of: definition.metadata, number: generator.next() % 5)
        }
        return writes.sorted { $0.key.uuid.description < $1.key.uuid.description }
            .map { BehaviorChange($0.key, $0.value) }
    }

    private static func hostileRun(_ subject: Case, steps: Int) -> [String] {
        var generator = SeededRandom(seed: 42)
        var behavior = subject.behavior()
        let declared = declared(by: subject)
        var responses = [String(describing: behavior.start(with: declared, at: .zero))]
        var now = MonotonicInstant.zero
        let own = declared.keys.sorted { $0.uuid.description < $1.uuid.description }
        let values: [CharacteristicValue] = [
            .bool(true), .bool(false), 0, 1, 2, 3, 4, 50, 100, .integer(Int64.min), .integer(UInt64.max),
            .number(.real(.nan)), .number(.real(.infinity)), .number(.real(-1e308)), .number(.real(1e308)),
            .number(.real(0.05)), .string("1"), .data([]),
        ]
        for step in 0..<steps {
            let edges: [Int64] = [.min, .max, 0, now.nanoseconds]
            now =
                step % 50 == 49
                ? MonotonicInstant(nanoseconds: edges[Int(generator.next() % 4)])
                : now.advanced(by: .nanoseconds(Int64(bitPattern: generator.next()) >> Int64(generator.next() % 60)))
            let type = own.randomElement(using: &generator) ?? .name
            let value = values[Int(generator.next() % UInt64(values.count))]
            let change = BehaviorChange(type, value)
            let heeded = behavior.observedServices.randomElement(using: &generator)
            switch generator.next() % 7 {
            case 0: responses.append(String(describing: behavior.perform(.applySensorInput(change), at: now)))
            case 1:
                let command = [BehaviorCommand.stop, .obstruct, .clearObstruction, .press(.double)][step % 4]
                responses.append(String(describing: behavior.perform(command, at: now)))
            case 2:
                guard let heeded else { continue }
                let news: [CharacteristicType] = [
                    .active, .inUse, .remainingDuration, .motionDetected, .contactSensorState, .identifier, .mute,
                    .isConfigured, .currentVisibilityState,
                ]
                let moved = BehaviorChange(news[step % news.count], value)
                let key = ServiceKey(heeded, subtype: "\(step % 3)")
                responses.append(String(describing: behavior.observe([moved], of: key, at: now)))
            case 3, 4: responses.append(String(describing: behavior.advance(to: now)))
            default: responses.append(String(describing: behavior.write([change], at: now)))
            }
            responses.append(String(describing: behavior.readings(at: now)))
            responses.append(String(describing: behavior.nextDeadline))
        }
        return responses
    }
}
