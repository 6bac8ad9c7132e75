import AirPlay
import HAPCore
import PropertyLists
import Testing

/// What a receiver says about itself in its announcements and in `/info`.
struct ReceiverInformationTests {
    private static func information(_ change: (inout ReceiverInformation) -> Void = { _ in }) -> ReceiverInformation {
        var information = ReceiverInformation()
        change(&information)
        return information
    }

    private static func value(_ name: String, _ record: [(String, String)]) -> String? {
        record.first { $0.0 == name }?.1
    }

    private static func bits(_ number: UInt64) -> Set<Int> { Set((0..<64).filter { number >> UInt64($0) & 1 == 1 }) }

    // MARK: Features

    @Test func aSpeakerHasAudioAndATelevisionHasVideo() {
        let audio: Set = [9, 15, 16, 17, 18, 19, 22, 38, 46, 48]
        #expect(Self.bits(Self.information().features) == audio)
        #expect(Self.bits(Self.information { $0.hasVideo = true }.features) == audio.union([0, 4, 49]))
    }

    @Test func keysForOneSessionAreOfferedOnlyToEveryone() {
        #expect(Self.bits(Self.information().features).contains(48))
        let changes: [(inout AirPlayAccess) -> Void] = [
            { $0.policy = .pin }, { $0.password = "p" }, { $0.isForHome = true },
        ]
        for change in changes { #expect(!Self.bits(Self.information { change(&$0.access) }.features).contains(48)) }
    }

    /// A receiver that offered what it does not have would be sent what it cannot play.
    @Test func whatOnlyAppleCanHaveIsNotOffered() {
        let features = Self.bits(Self.information { $0.hasVideo = true }.features)
        #expect(features.isDisjoint(with: [7, 14, 23, 26, 40, 41, 51]))
    }

    /// Senders join the two words, so the lower one has eight digits: 0x40200,0x10040 would be read as 0x1004040200.
    @Test func theLowerWordOfTheFeaturesHasEightDigits() throws {
        for hasVideo in [true, false] {
            let information = Self.information { $0.hasVideo = hasVideo }
            let text = try #require(Self.value("features", information.airPlayRecord))
            let words = text.split(separator: ",")
            #expect(words.count == 2 && words.allSatisfy { $0.hasPrefix("0x") })
            #expect(words[0].count == 10)
            let joined = words[1].dropFirst(2) + words[0].dropFirst(2)
            #expect(UInt64(joined, radix: 16) == information.features)
            #expect(Self.value("ft", information.audioRecord) == text)
        }
        #expect(Self.value("features", Self.information().airPlayRecord) == "0x004F8200,0x14040")
    }

    // MARK: Status

    @Test func theStatusShowsWhoMayPlay() {
        let cases: [((inout ReceiverInformation) -> Void, UInt32)] = [
            ({ _ in }, 0x4), ({ $0.access.policy = .pin }, 0x20C), ({ $0.access.password = "p" }, 0x84),
            ({ $0.access.isForHome = true }, 0x404), ({ $0.isActive = true }, 0x20004),
            (
                {
                    ($0.access.policy, $0.access.password) = (.pin, "p")
                    ($0.access.isForHome, $0.isActive) = (true, true)
                }, 0x2068C
            ),
        ]
        for (change, flags) in cases {
            let information = Self.information(change)
            #expect(information.statusFlags == flags)
            let text = "0x" + String(flags, radix: 16)
            #expect(Self.value("flags", information.airPlayRecord) == text)
            #expect(Self.value("sf", information.audioRecord) == text)
        }
    }

    @Test func aPasswordIsAnnouncedAndNotShown() {
        let information = Self.information { $0.access.password = "open sesame" }
        for record in [information.airPlayRecord, information.audioRecord] {
            #expect(Self.value("pw", record) == "true")
            #expect(!record.contains { $0.1.contains("sesame") })
        }
        #expect(Self.value("pw", Self.information().airPlayRecord) == nil)
    }

    // MARK: Records

    @Test func theRecordsNameTheReceiver() {
        let information = Self.information {
            ($0.name, $0.model, $0.deviceID) = ("Kitchen", "KS-210", "02:00:00:AA:BB:CC")
            ($0.pairingID, $0.publicKey) = ("0e1d", [0x00, 0x0F, 0xA0])
        }
        let expected = ["deviceid": "02:00:00:AA:BB:CC", "model": "KS-210", "srcvers": "366.0"]
        for (name, value) in expected { #expect(Self.value(name, information.airPlayRecord) == value, "\(name)") }
        #expect(information.audioInstance == "020000AABBCC@Kitchen")
        for (name, value) in ["am": "KS-210", "tp": "UDP", "cn": "0,1", "et": "0", "md": "0,1,2"] {
            #expect(Self.value(name, information.audioRecord) == value, "\(name)")
        }
        #expect(Self.value("acl", Self.information { $0.access.isForHome = true }.airPlayRecord) == "1")
    }

    /// Avahi answers a scanner with at most 512 bytes, of which names and addresses take about half.
    @Test func bothRecordsFitIntoAnAnswerOfAvahi() {
        let information = Self.information {
            ($0.model, $0.isActive, $0.hasVideo) = ("KS-210 Mark II", true, true)
            $0.access.password = "p"
        }
        let items = information.airPlayRecord + information.audioRecord
        #expect(items.reduce(0) { $0 + $1.0.utf8.count + $1.1.utf8.count + 2 } <= 220)
    }

    @Test func aRecordHasEachKeyOnce() {
        let information = Self.information { ($0.access.password, $0.access.isForHome) = ("p", true) }
        for record in [information.airPlayRecord, information.audioRecord] {
            #expect(Set(record.map(\.0)).count == record.count)
        }
    }

    // MARK: Answer

    private static func answer(
        _ information: ReceiverInformation,
        wantsRecord: Bool = false
    ) throws -> PropertyList {
        let response = information.answer(volume: VolumeLevel(percent: 50), wantsRecord: wantsRecord)
        #expect(response.status == 200)
        #expect(response.headers["Content-Type"] == "application/x-apple-binary-plist")
        return try PropertyListReader.read(response.body, name: "the answer", limits: .request)
    }

    @Test func theAnswerHasWhatSendersRead() throws {
        let information = Self.information {
            ($0.name, $0.deviceID, $0.hasVideo, $0.isActive) = ("Den", "02:00:00:AA:BB:CC", true, true)
            $0.publicKey = [1, 2, 3]
        }
        let list = try Self.answer(information)
        #expect(list["deviceID"]?.text == "02:00:00:AA:BB:CC" && list["name"]?.text == "Den")
        #expect(list["features"] == .unsigned(information.features))
        #expect(list["statusFlags"]?.integer == 0x20004 && list["pk"]?.data == [1, 2, 3])
        #expect(list["sourceVersion"]?.text == "366.0" && list["pi"]?.text == information.pairingID)
        // A number that is not a real is not read by pyatv.
        #expect(list["initialVolume"] == .real(-15))
        #expect(list["txtAirPlay"] == nil)
    }

    @Test func theRecordIsAddedIfItIsWanted() throws {
        let information = Self.information { $0.model = String(repeating: "m", count: 300) }
        let record = try #require(try Self.answer(information, wantsRecord: true)["txtAirPlay"]?.data)
        var entries: [String] = []
        var rest = record[...]
        while let length = rest.popFirst() {
            #expect(rest.count >= Int(length))
            entries.append(String(decoding: rest.prefix(Int(length)), as: UTF8.self))
            rest = rest.dropFirst(Int(length))
        }
        #expect(entries.count == information.airPlayRecord.count)
        #expect(entries.contains("deviceid=02:00:00:00:00:00") && entries.contains { $0.utf8.count == 255 })
    }
}
