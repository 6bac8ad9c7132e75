import AccessoryModel
import HAPCore
import Testing

@testable import Simulation

struct OutletTests {
    @Test(
        arguments: [
            (true, false, true, "OutletInUse true"), (true, true, true, ""), (false, true, true, "OutletInUse false"),
            (true, true, false, "OutletInUse false"), (nil, nil, true, "On false, OutletInUse false"),
        ] as [(Bool?, Bool?, Bool, String)]
    )
    func itIsInUseWhileOnWithALoad(on: Bool?, inUse: Bool?, load: Bool, reported: String) {
        var values: [CharacteristicType: CharacteristicValue] = [:]
        values[.on] = on.map { .bool($0) }
        values[.outletInUse] = inUse.map { .bool($0) }
        var outlet = BehaviorOwner(Outlet(.init(hasLoad: load)), keeping: values)
        #expect(outlet.start().reported == reported)
    }

    @Test func inUseFollowsOnAndTheLoad() {
        var outlet = BehaviorOwner(Outlet(), keeping: [.on: false, .outletInUse: false])
        #expect(outlet.start() == [])
        #expect(outlet.write(.on, 1).changes.reported == "OutletInUse true")
        #expect(outlet.perform(.applySensorInput(BehaviorChange(.outletInUse, false)))?.reported == "OutletInUse false")
        #expect(outlet.write(.on, false) == BehaviorResponse())
        #expect(outlet.perform(.applySensorInput(BehaviorChange(.outletInUse, true))) == [])
        #expect(outlet.write(.on, true).changes.reported == "OutletInUse true")
        #expect(outlet.write(.outletInUse, true) == BehaviorResponse(refusals: [.outletInUse: .readOnly]))
        #expect(outlet.perform(.applySensorInput(BehaviorChange(.on, true))) == [])
        #expect(outlet.device.nextDeadline == nil)
    }
}
