import Testing

@testable import Discovery

@Suite struct BusMessageTests {
    /// A signal as `dbus-daemon` sends it: `NameAcquired` with the text `:1.0`.
    private static let signal: [UInt8] =
        [0x6C, 4, 1, 1, 9, 0, 0, 0, 2, 0, 0, 0, 55, 0, 0, 0]
        + [6, 1, 0x73, 0, 4, 0, 0, 0] + Array(":1.0".utf8) + [0, 0, 0, 0]
        + [5, 1, 0x75, 0, 1, 0, 0, 0]
        + [3, 1, 0x73, 0, 12, 0, 0, 0] + Array("NameAcquired".utf8) + [0, 0, 0, 0]
        + [8, 1, 0x67, 0, 1, 0x73, 0, 0]
        + [4, 0, 0, 0] + Array(":1.0".utf8) + [0]

    @Test func aMessageOfTheBusIsRead() throws {
        let message = try #require(BusMessage(Self.signal))
        #expect(message.kind == .signal)
        #expect(message.serial == 2)
        #expect(message.replySerial == 1)
        #expect(message.name == "NameAcquired")
        var reader = BusReader(message.body)
        #expect(reader.string() == ":1.0")
        #expect(reader.isAtEnd)
    }

    @Test func aCallReadsBackAsItself() throws {
        let bytes = BusMessage.call(
            "ResolveService",
            of: "org.freedesktop.Avahi.Server",
            at: "/",
            destination: "org.freedesktop.Avahi",
            [.integer(-1), .string("Kilgo"), .unsigned(7)],
            serial: 3
        )
        let message = try #require(BusMessage(bytes))
        #expect(message.kind == .call)
        #expect(message.serial == 3)
        #expect(message.name == "ResolveService")
        var reader = BusReader(message.body)
        #expect(reader.integer() == -1)
        #expect(reader.string() == "Kilgo")
        #expect(reader.unsigned() == 7)
        #expect(reader.isAtEnd)
        #expect(reader.integer() == nil)
        // Bit 1 of the flags: nothing is started by a look.
        #expect(bytes[2] == 2)
    }

    @Test func noDamageTraps() {
        let call = BusMessage.call("A", of: "b.c", at: "/", destination: "d.e", [.string("text")], serial: 1)
        for bytes in [call, Self.signal] {
            for index in bytes.indices {
                _ = BusMessage(Array(bytes[..<index]))
                for value in [0, 1, 0x7F, 0x80, 0xFF] as [UInt8] {
                    var damaged = bytes
                    damaged[index] = value
                    _ = BusMessage(damaged)
                    _ = FoundService(answer: damaged)
                    _ = DaemonLook.resolution(of: damaged)
                }
            }
        }
    }

    @Test(
        arguments: [
            [0x42, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0],
            [0x6C, 1, 0, 1, 0xFF, 0xFF, 0xFF, 0xFF, 1, 0, 0, 0, 0, 0, 0, 0],
            [0x6C, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF],
            [0x6C, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0], [],
        ] as [[UInt8]]
    )
    func aSizeThatNoBusSendsIsRefused(prefix: [UInt8]) {
        #expect(BusMessage.size(ofPrefix: prefix) == nil)
    }

    @Test func aResolvedServiceIsReadWithItsText() throws {
        var body = BusWriter()
        for number in [2, 0] as [UInt32] { body.write(number) }
        for text in ["Kilgo Garage", "_hap._tcp", "local", "garage.local"] { body.write(text) }
        body.write(0 as UInt32)
        body.write("192.168.1.20")
        body.align(2)
        body.bytes += [0x72, 0xCA]
        body.write(17 as UInt32)
        body.write(4 as UInt32)
        body.bytes += Array("sf=1".utf8)
        body.write(5 as UInt32)
        body.bytes += Array("md=KG".utf8)
        let service = try #require(FoundService(answer: body.bytes))
        #expect(service.name == "Kilgo Garage")
        #expect(service.host == "garage.local")
        #expect(service.address == "192.168.1.20")
        #expect(service.port == 51_826)
        #expect(service.text["sf"] == "1")
        #expect(service.text["md"] == "KG")
        for count in body.bytes.indices {
            #expect(FoundService(answer: Array(body.bytes[..<count])) == nil)
        }
    }
}
