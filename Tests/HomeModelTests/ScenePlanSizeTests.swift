import AccessoryModel
import HAPCore
import Testing

@testable import HomeModel

/// Tests how the values of a very large scene are divided into requests.
struct ScenePlanSizeTests {
    @Test(arguments: [(1, [1]), (255, [255]), (256, [256]), (257, [256, 1]), (600, [256, 256, 88])])
    func requestsStayWithinTheSupportedSize(count: Int, sizes: [Int]) throws {
        var home = Home(id: ObjectID(1), name: try ObjectName("House"))
        let server = try #require(DeviceID("1A:2B:3C:4D:5E:6F"))
        var actions: [HomeAction] = []
        for number in 0..<count {
            let aid = try #require(AccessoryID(UInt64(number + 1)))
            let characteristic = HomeCharacteristic(
                iid: InstanceID(9),
                .init(type: .on, permissions: [.read, .write], metadata: CharacteristicMetadata(format: .bool))
            )
            let service = HomeService(
                id: ObjectID(UInt64(10_000 + number)),
                name: try ObjectName("Lamp \(number)"),
                type: .lightbulb,
                iid: InstanceID(8),
                characteristics: [characteristic]
            )
            home.accessories.append(
                HomeAccessory(
                    id: ObjectID(UInt64(number + 1)),
                    name: try ObjectName("Accessory \(number)"),
                    reference: AccessoryReference(server: server, aid: aid),
                    services: [service]
                )
            )
            actions.append(HomeAction(characteristic: .init(service: service.id, type: .on), value: true))
        }
        let plan = ScenePlan(actions, in: home)
        #expect(plan.failures.isEmpty)
        #expect(plan.requests.map(\.writes.count) == sizes)
        #expect(plan.requests.flatMap(\.actions) == actions)
    }
}
