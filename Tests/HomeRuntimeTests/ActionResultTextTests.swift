import AccessoryModel
import HAPCore
import TestSupport
import Testing

@testable import HomeModel
@testable import HomeRuntime

/// Tests the reasons of failed actions.
struct ActionResultTextTests {
    @Test(arguments: [
        (
            CharacteristicType.targetDoorState, true, -70_412,
            ". Its lock may be secured: unlock Gate first."
        ),
        (.targetDoorState, false, -70_412, ""),
        (.targetDoorState, true, -70_402, ""),
    ])
    func aDoorThatIsNotOpenedNamesItsLock(_ type: CharacteristicType, hasLock: Bool, code: Int64, text: String) throws {
        var home = Home(id: ObjectID(1), name: try ObjectName("House"))
        let types: [CharacteristicType] = [.currentDoorState, .targetDoorState] + (hasLock ? [.lockTargetState] : [])
        let gate = RemoteService(
            named: "Gate",
            .garageDoorOpener,
            iid: 1,
            characteristics: types.enumerated().map { RemoteCharacteristic(iid: 2 + UInt64($0), $1) }
        )
        let server = try #require(DeviceID("66:55:44:33:22:11"))
        _ = try home.addAccessory(
            RemoteAccessory(named: "Gate Unit", services: [gate]),
            at: AccessoryReference(server: server, aid: .primary)
        )
        let service = try home.service(named: "the gate")
        let action = HomeAction(characteristic: CharacteristicSelector(service: service.id, type: type), value: 0)
        let result = ActionResult(action: action, outcome: .refused(code: code))
        let reason = result.failureReason(in: home)
        #expect(reason == HAPStatus.text(ofCode: code) + text)
    }
}
