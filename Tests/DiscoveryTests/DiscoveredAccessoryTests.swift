import HAPCore
import Testing

@testable import Discovery

struct DiscoveredAccessoryTests {
    @Test func everyKeyIsRead() {
        let accessory = accessory([
            "c#": "65535", "ff": "0", "id": "c8:d8:58:c6:63:f5", "md": "KG-100", "pv": "1.1", "s#": "1", "sf": "1",
            "ci": "4", "sh": "712Omw==",
        ])
        #expect(accessory.configurationNumber == 65_535)
        #expect(accessory.featureFlags == 0)
        #expect(accessory.deviceID == DeviceID("C8:D8:58:C6:63:F5"))
        #expect(accessory.model == "KG-100")
        #expect(accessory.protocolVersion == "1.1")
        #expect(accessory.stateNumber == 1)
        #expect(accessory.statusFlags == 1)
        #expect(accessory.isPaired == false)
        #expect(accessory.category == .garageDoorOpener)
        #expect(accessory.setupHash == "712Omw==")
    }

    @Test(arguments: ["", "-1", "+1", "one", "0x1", "99999999999999999999", " 1"])
    func invalidNumbersAreNil(text: String) {
        let accessory = accessory(["c#": text, "ff": text, "s#": text, "sf": text, "ci": text, "id": text])
        #expect(accessory.configurationNumber == nil)
        #expect(accessory.featureFlags == nil)
        #expect(accessory.stateNumber == nil)
        #expect(accessory.isPaired == nil)
        #expect(accessory.category == nil)
        #expect(accessory.deviceID == nil)
        #expect(accessory.text["c#"] == text)
    }

    @Test(arguments: [("0", true), ("1", false), ("4", true), ("5", false)])
    func lowestStatusFlagMeansUnpaired(flags: String, isPaired: Bool) {
        #expect(accessory(["sf": flags]).isPaired == isPaired)
    }

    @Test func likelyAddressesComeFirst() throws {
        let addresses: [(String, Int32)] = [
            ("169.254.1.1", 2), ("fe80::1", 2), ("fe80::1", 3), ("127.0.0.1", 1), ("febf::1", 2), ("2001:db8::1", 2),
            ("192.0.2.1", 2), ("::1", 1), ("0.0.0.0", 2), ("::", 2), ("", 2), ("fe80::1", -1), ("192.0.2.1", 3),
        ]
        let responses = addresses.map { address, interface in
            (
                place: ServiceInstance(name: "Lamp", interface: interface, family: 0),
                found: ResolvedService(name: "Lamp", host: "l", address: address, port: 1, text: TXTRecord())
            )
        }
        #expect(
            try #require(DiscoveredAccessory(responses)).addresses == [
                "192.0.2.1", "2001:db8::1", "127.0.0.1", "::1", "fe80::1%2", "fe80::1%3", "febf::1%2", "169.254.1.1",
            ]
        )
        #expect(DiscoveredAccessory([]) == nil)
    }

    @Test func keysAreReadInLowercaseAndWithoutValues() throws {
        let text = TXTRecord(wireBytes: Array("\u{6}SF=\u{FFFD}\u{2}id\u{4}id=1".utf8))
        let found = ResolvedService(name: "Lamp", host: "l", address: "192.0.2.1", port: 1, text: text)
        let place = ServiceInstance(name: "Lamp", interface: 1, family: 0)
        let accessory = try #require(DiscoveredAccessory([(place, found)]))
        #expect(accessory.text["id"]?.isEmpty == true)
        #expect(accessory.text["sf"] != nil)
        #expect(accessory.isPaired == nil)
    }

    private func accessory(_ text: [String: String]) -> DiscoveredAccessory {
        DiscoveredAccessory(name: "Lamp", host: "lamp.local", addresses: [], port: 1, text: text)
    }
}
