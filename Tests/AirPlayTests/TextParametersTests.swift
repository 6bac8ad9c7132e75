import AirPlay
import Testing

/// Volume and progress.
struct TextParametersTests {
    private func parse(_ text: String) throws(AirPlayError) -> TextParameters {
        try TextParameters(parsing: Array(text.utf8))
    }

    @Test(arguments: [
        ("0", 0.0, 100), ("0.000000", 0, 100), ("-30.0", -30, 0), ("-15", -15, 50), ("-20.0", -20, 33),
        ("-1e-05", -0.000_01, 100), ("-144.000000", -144, 0), ("-31", -30, 0), ("-143.9", -30, 0), ("-1000", -144, 0),
        ("5", 0, 100), ("+1", 0, 100), (" -3 ", -3, 90),
    ])
    func aVolumeIsDecibels(_ text: String, _ decibels: Double, _ percent: Int) throws {
        let volume = try #require(try parse("volume: \(text)\r\n").volume)
        #expect(volume.decibels == decibels && volume.percent == percent)
        #expect(volume.isMuted == (decibels == -144))
    }

    @Test(arguments: [
        "nan", "inf", "-inf", "infinity", "1e999", "-1e999", "1e4", "-1000.1", "0x10", "", "-", "loud", "1 2", "-20,0",
        "--1", String(repeating: "0", count: 33),
    ])
    func aVolumeThatIsNotANumberIsRefused(_ text: String) {
        #expect(throws: AirPlayError.self) { try parse("volume: \(text)") }
    }

    @Test
    func aVolumeIsLinearInDecibels() {
        for percent in 0...100 {
            let volume = VolumeLevel(percent: percent)
            #expect(volume.percent == percent && abs(volume.decibels - (-30 + 0.3 * Double(percent))) < 1e-9)
            #expect(VolumeLevel(decibels: volume.decibels) == volume)
        }
        #expect(VolumeLevel(percent: .max).decibels == 0 && VolumeLevel(percent: .min).decibels == -30)
        #expect(VolumeLevel(percent: 50, isMuted: true).isMuted && VolumeLevel(percent: 50, isMuted: true).percent == 0)
        #expect([Double.nan, .infinity, -.infinity, 1_000.1].allSatisfy { VolumeLevel(decibels: $0) == nil })
    }

    @Test(
        arguments: [
            // Start, now, end, position and length in seconds at 1,000 Hz.
            (10_000, 25_000, 70_000, 15.0, 60.0),
            // The time wraps between start and now, and between now and end.
            (4_294_967_000, 704, 59_704, 1, 60), (4_294_960_000, 4_294_961_000, 5_000, 1, 12.296),
            // Before the begin and after the end.
            (10_000, 9_000, 70_000, 0, 60), (500, 4_294_967_295, 1_500, 0, 1), (10_000, 80_000, 70_000, 60, 60),
            // More than half of the range is a length, too.
            (0, 3_000_000_000, 4_000_000_000, 3_000_000, 4_000_000),
        ] as [(UInt32, UInt32, UInt32, Double, Double)]
    )
    func aProgressIsAPositionAndALength(
        _ start: UInt32,
        _ now: UInt32,
        _ end: UInt32,
        _ position: Double,
        _ length: Double
    ) throws {
        let progress = try #require(try parse("progress: \(start)/\(now)/\(end)\r\n").progress)
        #expect(progress == PlaybackProgress(start: start, now: now, end: end))
        #expect(abs(progress.position(sampleRate: 1_000) / .seconds(1) - position) < 1e-9)
        let duration = try #require(progress.duration(sampleRate: 1_000))
        #expect(abs(duration / .seconds(1) - length) < 1e-9)
    }

    @Test
    func aTrackWithoutAnEndHasNoLength() {
        let progress = PlaybackProgress(start: 5, now: 2_005, end: 5)
        #expect(progress.duration(sampleRate: 1_000) == nil && progress.position(sampleRate: 1_000) == .seconds(2))
        #expect(PlaybackProgress(start: 0, now: .max, end: .max).position(sampleRate: 0) > .zero)
    }

    @Test
    func aTimeOver32BitsWraps() throws {
        let progress = try PlaybackProgress(parsing: "4294967296/4294967297/999999999999")
        #expect(progress == PlaybackProgress(start: 0, now: 1, end: UInt32(truncatingIfNeeded: 999_999_999_999)))
    }

    @Test(arguments: ["", "1", "1/2", "1/2/3/4", "a/b/c", "-1/2/3", "1//3", "1/2/1000000000000", "1.5/2/3", "+1/2/3"])
    func anotherProgressIsRefused(_ text: String) {
        #expect(throws: AirPlayError.self) { try parse("progress: \(text)") }
    }

    @Test
    func severalParametersAreRead() throws {
        let parameters = try parse("Volume:-3\r\nother: x\n\nprogress: 1/2/3\nvolume: -6\r\n")
        #expect(parameters.volume?.decibels == -6 && parameters.progress?.now == 2)
        #expect(try parse("") == parse("other: x"))
        #expect(throws: AirPlayError.self) { try parse("volume") }
    }

    @Test
    func aBodyHasALimitedLength() throws {
        let filler = String(repeating: "\n", count: 4_084)
        #expect(try parse("volume: -3.0" + filler).volume?.decibels == -3)
        #expect(throws: AirPlayError.tooLong(limit: 4_096)) { try parse("volume: -3.0\n" + filler) }
    }

    @Test
    func hostileBodiesAreReadOrRefused() {
        var results = [true: 0, false: 0]
        func read(_ body: [UInt8]) {
            let parameters = try? TextParameters(parsing: body)
            results[parameters != nil, default: 0] += 1
            #expect((0...100).contains(parameters?.volume?.percent ?? 0))
            #expect((parameters?.progress?.position(sampleRate: 44_100) ?? .zero) >= .zero)
        }
        let seed = Array("volume: -20.0\r\nprogress: 1/44100/88200\r\n".utf8)
        HostileInput.truncations(of: seed, read)
        HostileInput.mutations(of: [seed], read)
        #expect(results.values.allSatisfy { $0 > 10 })
    }
}
