import Foundation
import TestSupport
import Testing

/// `hap run` with a home prints lines in the order of events.
@Suite(.timeLimit(.minutes(5))) struct HomeWithScenarioTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    private static var scenario: String {
        """
        scenario: Coming home
        serve: ["\(root.appending(path: "Accessories/garage.yaml").path)"]
        home: home.yaml
        start: 2026-03-02 20:00
        steps:
          - after: 90s
            set: Garage Door/Target Door State
            to: Open
          - expect: { characteristic: Garage Light/On, becomes: true, within: 5s }
          - after: 1min
            log: Inside.

        """
    }

    private static let home = """
        home: Kilgo House
        accessories:
          - accessory: Kilgo Garage
            services: { GarageDoorOpener: Garage Door, Lightbulb: Garage Light }
        automations:
          Light it:
            when: { characteristic: Garage Door/CurrentDoorState, becomes: Opening }
            run: [{ set: Garage Light/On, to: true }]
            end: { after: 30s, restore: true }

        """

    @Test func linesAreTimedAndFollowTheirCause() async throws {
        let folder = try TemporaryFolder()
        _ = try folder.write(Self.home, to: "home.yaml")
        let ran = try await HapCommand.run("run", try folder.write(Self.scenario, to: "scenario.yaml"))
        #expect(ran.status == 0, "\(ran)")
        let lines = ran.output.split(separator: "\n").map(String.init)
        let wanted = [
            #/^00:01:30.000  .*Current Door State: Opening$/#, #/^00:01:30.000  Kilgo House: Light it ran: /#,
            #/^00:01:30.000  Kilgo House: Light it: Garage Light/On = on.$/#,
            #/^00:02:00.000  Kilgo House: Light it ended: 30 s had passed.$/#, #/^00:02:30.000  Inside.$/#,
        ]
        let places = try wanted.map { pattern in
            try #require(lines.firstIndex { $0.contains(pattern) }, "\(lines.joined(separator: "\n"))")
        }
        #expect(places == places.sorted(), "\(lines.joined(separator: "\n"))")
        let times = lines.compactMap { $0.firstMatch(of: #/^\d\d:\d\d:\d\d\.\d\d\d  /#).map { String($0.output) } }
        #expect(times == times.sorted())
    }
}
