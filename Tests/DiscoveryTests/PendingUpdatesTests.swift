import HAPCore
import Testing

@testable import Discovery

struct PendingUpdatesTests {
    private static let lamp = DiscoveredAccessory(name: "Lamp", host: "a", addresses: [], port: 1, text: [:])
    private static let moved = DiscoveredAccessory(name: "Lamp", host: "a", addresses: [], port: 2, text: [:])
    private static let fan = DiscoveredAccessory(name: "Fan", host: "a", addresses: [], port: 3, text: [:])

    private static let rows: [(reported: [DiscoveryUpdate], read: [DiscoveryUpdate])] = [
        ([.appeared(lamp), .appeared(fan)], [.appeared(lamp), .appeared(fan)]),
        ([.appeared(lamp), .changed(moved)], [.appeared(moved)]),
        ([.appeared(lamp), .disappeared(lamp), .appeared(fan)], [.appeared(fan)]),
        ([.changed(moved), .changed(lamp)], [.changed(lamp)]),
        ([.changed(moved), .disappeared(moved)], [.disappeared(moved)]),
        ([.disappeared(lamp), .appeared(moved)], [.changed(moved)]),
        ([.available, .unavailable(.noDaemon)], [.unavailable(.noDaemon)]),
        ([.allForNow, .appeared(lamp), .allForNow], [.appeared(lamp), .allForNow]),
    ]

    @Test(arguments: rows.indices)
    func slowReaderReceivesCoalescedUpdates(index: Int) {
        let row = Self.rows[index]
        var pending = PendingUpdates()
        for update in row.reported {
            pending.append(update)
        }
        for update in row.read {
            #expect(pending.popFirst() == update)
        }
        #expect(pending.popFirst() == nil)
    }

    @Test func filterKeepsOnlyTheLatestAnnouncementOfItsAccessory() throws {
        let id = try #require(DeviceID("C8:D8:58:C6:63:F5"))
        func wanted(_ number: Int) -> DiscoveredAccessory {
            var accessory = accessory(number)
            accessory.text = ["id": id.text]
            return accessory
        }
        var pending = PendingUpdates(of: id)
        for number in 0..<10_000 {
            pending.append(.appeared(accessory(number)))
            pending.append(.changed(wanted(number)))
            pending.append(.disappeared(wanted(number)))
        }
        pending.append(.allForNow)
        #expect(pending.popFirst() == .changed(wanted(9_999)))
        #expect(pending.popFirst() == nil)
    }

    @Test func filterStillReportsUnavailability() throws {
        let id = try #require(DeviceID("C8:D8:58:C6:63:F5"))
        var pending = PendingUpdates(of: id)
        pending.append(.appeared(accessory(1)))
        pending.append(.available)
        #expect(pending.popFirst() == .available)
        pending.append(.available)
        pending.append(.unavailable(.noDaemon))
        #expect(pending.popFirst() == .unavailable(.noDaemon))
        #expect(pending.popFirst() == nil)
    }

    @Test func thousandsAreReadInOrder() {
        var pending = PendingUpdates()
        for number in 0..<5_000 {
            pending.append(.appeared(accessory(number)))
            if number >= 2_500 {
                #expect(pending.popFirst() == .appeared(accessory(number - 2_500)))
            }
        }
        for number in 2_500..<5_000 {
            #expect(pending.popFirst() == .appeared(accessory(number)))
        }
        #expect(pending.popFirst() == nil)
    }

    private func accessory(_ number: Int) -> DiscoveredAccessory {
        DiscoveredAccessory(name: "\(number)", host: "a", addresses: [], port: 1, text: [:])
    }
}
