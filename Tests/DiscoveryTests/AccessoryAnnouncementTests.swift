import Discovery
import HAPCore
import Testing

struct AccessoryAnnouncementTests {
    @Test func anUnpairedGarageAnnouncesExactlyTheseBytes() throws {
        let items = [
            "c#=1", "ff=0", "id=C8:D8:58:C6:63:F5", "md=KG-100", "pv=1.1", "s#=1", "sf=1", "ci=4", "sh=712Omw==",
        ]
        let expected = items.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
        #expect(try garage().record.text.wireBytes == expected)
        #expect(expected.count == 75)
    }

    @Test func aPairedGarageDiffersInTheStatusFlagOnly() throws {
        var paired = try garage()
        paired.isPaired = true
        let before = try garage().record.text.items
        let after = paired.record.text.items
        #expect(zip(before, after).filter { $0 != $1 }.map(\.1.key) == ["sf"])
        #expect(paired.record.text["sf"] == "0")
    }

    @Test(arguments: [(UInt16(0), "1"), (1, "1"), (2, "2"), (65_535, "65535")])
    func theConfigurationNumberIsNeverAnnouncedAsZero(number: UInt16, text: String) throws {
        var announcement = try garage()
        announcement.configurationNumber = number
        #expect(announcement.record.text["c#"] == text)
    }

    @Test func withoutASetupHashTheKeyIsAbsent() throws {
        var announcement = try garage()
        announcement.setupHash = nil
        #expect(announcement.record.text.items.map(\.key) == ["c#", "ff", "id", "md", "pv", "s#", "sf", "ci"])
    }

    @Test(arguments: [0, 1, 251, 252, 253, 254, 255, 256, 5000])
    func aModelOfAnyLengthFitsItsString(length: Int) throws {
        var announcement = try garage()
        announcement.model = String(repeating: "m", count: length)
        let model = try #require(announcement.record.text["md"])
        #expect(model.utf8.count == min(length, 252))
        #expect(TXTRecord(wireBytes: announcement.record.text.wireBytes) == announcement.record.text)
    }

    @Test func aModelIsCutBetweenTwoCharacters() throws {
        var announcement = try garage()
        announcement.model = String(repeating: "m", count: 250) + "€uro"
        #expect(announcement.record.text["md"] == String(repeating: "m", count: 250))
    }
}
