import AccessoryModel
import HAPCore
import Simulation
import Testing

@testable import WebConsole

struct ValueHistoryTests {
    private func id(_ iid: UInt64) throws -> ServerCharacteristicID {
        ServerCharacteristicID(server: 0, try #require(CharacteristicID(parsing: "1.\(iid)")))
    }

    @Test func oldestValuesOfACharacteristicAreDropped() throws {
        var history = ValueHistory()
        let lamp = try id(9)
        for number in 0...ValueHistory.maximumPerCharacteristic {
            history.append(.init(time: EventTime(nanoseconds: Int64(number)), value: .integer(number)), to: lamp)
        }
        let entries = history.entries(of: lamp)
        #expect(entries.count == ValueHistory.maximumPerCharacteristic)
        #expect(entries.first?.value == .integer(1))
        #expect(history.entries(of: try id(10)).isEmpty)
    }

    @Test func allHistoriesTogetherAreLimited() throws {
        var history = ValueHistory()
        let count = ValueHistory.maximumTotal / ValueHistory.maximumPerCharacteristic + 10
        for iid in 1...count {
            for number in 0..<ValueHistory.maximumPerCharacteristic {
                history.append(.init(time: EventTime(nanoseconds: 0), value: .integer(number)), to: try id(UInt64(iid)))
            }
        }
        let total = try (1...count).reduce(0) { try $0 + history.entries(of: id(UInt64($1))).count }
        #expect(total <= ValueHistory.maximumTotal)
        #expect(history.entries(of: try id(UInt64(count))).isEmpty == false)
    }
}
