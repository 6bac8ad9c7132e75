import AccessoryModel
import Discovery
import Foundation
import HAPCore
import Testing

@testable import Storage
@testable import hap

/// The checks of a machine and their results.
@Suite struct MachineReportTests {
    private static func interface(_ name: String, _ addresses: [String], multicast: Bool = true) -> NetworkInterface {
        NetworkInterface(name: name, isLoopback: name == "lo", canMulticast: multicast, addresses: addresses)
    }

    @Test(
        arguments: [
            ([interface("lo", ["127.0.0.1", "::1"])], [.note]),
            ([], [.note]),
            ([interface("lo", ["127.0.0.1"]), interface("eth0", ["192.0.2.2", "fe80::1"])], [.ok]),
            ([interface("eth0", ["192.0.2.2"])], [.ok, .note]),
            ([interface("tun0", ["10.0.0.1", "fd00::1"], multicast: false)], [.note, .problem]),
            ([interface("eth0", ["169.254.1.2", "fe80::1"])], [.note, .problem]),
            (
                [interface("tun0", ["10.0.0.1"], multicast: false), interface("eth0", ["192.0.2.2", "fd00::1"])],
                [.note, .ok]
            ),
        ] as [([NetworkInterface], [CheckResult.State])]
    )
    func interfacesAreReportedByUsability(interfaces: [NetworkInterface], states: [CheckResult.State]) {
        #expect(NetworkInterface.results(interfaces).map(\.state) == states)
    }

    @Test func interfacesOfThisMachineAreListed() {
        #expect(NetworkInterface.all().contains { $0.isLoopback && $0.addresses.contains("127.0.0.1") })
    }

    @Test(
        arguments: [(0.0, nil, .ok), (86_400.0 * 2, nil, .problem), (-1e9, true, .ok), (-1e9, false, .note)]
            as [(Double, Bool?, CheckResult.State)]
    )
    func clockBeforeTheBuildTimeIsWrong(programIsAhead: Double, isSynchronized: Bool?, state: CheckResult.State) {
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        let program = now.addingTimeInterval(programIsAhead)
        let reading = ClockCheck(now: now, buildDate: program, isSynchronized: isSynchronized)
        #expect(reading.result.state == state)
    }

    @Test(
        arguments: [
            (nil, 20_000, nil, [.ok]), (nil, 200, nil, [.note]), (190, 200, nil, [.problem]),
            (5, 1_024, 0, [.ok, .note]),
            (5, 1_024, 8 << 20, [.ok]), (nil, nil, nil, []),
        ] as [(Int?, Int?, Int?, [CheckResult.State])]
    )
    func limitsAreReportedBeforeTheyAreReached(open: Int?, maximum: Int?, locked: Int?, states: [CheckResult.State]) {
        let limits = ProcessLimits(processID: 7, openFiles: open, maximumFiles: maximum, lockedBytes: locked)
        #expect(limits.results.map(\.state) == states)
    }

    @Test func limitsAreReadFromTheKernelTable() {
        let text = """
            Limit                     Soft Limit           Hard Limit           Units
            Max locked memory         8388608              unlimited            bytes
            Max open files            1024                 524288               files
            Max file size             unlimited            unlimited            bytes
            """
        #expect(ProcessLimits.softLimit("Max open files", in: text) == 1_024)
        #expect(ProcessLimits.softLimit("Max locked memory", in: text) == 8_388_608)
        #expect(ProcessLimits.softLimit("Max file size", in: text) == nil)
        #expect(ProcessLimits.softLimit("Max nonsense", in: text) == nil)
        #expect(ProcessLimits.read(of: nil)?.maximumFiles != 0)
        #expect(ProcessLimits.read(of: -1) == nil)
    }

    @Test func listenersAreReadFromTheKernelTable() {
        let table = """
              sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
               0: 0100007F:CA72 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4711 1 0 100
               1: 00000000:0016 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4712 1 0 100
               2: 0100007F:CA72 0100007F:9999 01 00000000:00000000 00:00000000 00000000     0        0 4713 1 0 100
               0: 00000000000000000000000001000000:0050 00000000000000000000000000000000:0000 0A 0:0 0:0 0 0 0 4714 1
               0: nonsense
            """
        #expect(
            ListeningSocket.parse(table) == [
                ListeningSocket(port: 51_826, isLoopback: true, inode: "4711"),
                ListeningSocket(port: 22, isLoopback: false, inode: "4712"),
                ListeningSocket(port: 80, isLoopback: true, inode: "4714"),
            ]
        )
    }

    @Test(
        arguments: [
            (nil, false, nil, nil, .ok), (nil, true, 7, nil, .problem), (false, true, 7, 7, .ok),
            (true, true, 7, 7, .note),
            (false, true, 7, 8, .problem), (false, false, nil, 8, .problem), (false, false, nil, nil, .problem),
            (false, true, 7, nil, .ok),
        ] as [(Bool?, Bool, Int32?, Int32?, CheckResult.State)]
    )
    func portOwnerIsComparedWithTheStateLockHolder(
        isLoopback: Bool?,
        isHeld: Bool,
        holder: Int32?,
        owner: Int32?,
        state: CheckResult.State
    ) {
        let reading = PortCheck(
            user: "garage",
            port: 51_826,
            stateHolder: holder,
            isHeld: isHeld,
            socket: isLoopback.map { ListeningSocket(port: 51_826, isLoopback: $0, inode: "1") },
            owner: owner.map { PortOwner(processID: $0, name: "python3") }
        )
        #expect(reading.result.state == state)
        #expect(state != .problem || reading.result.remedy != nil)
    }

    @Test(
        arguments: [
            (StateInspection(exists: false, contents: .none), [.note]),
            (StateInspection(contents: .none), [.note]),
            (StateInspection(contents: .unreadable), [.note]),
            (StateInspection(contents: .intact(servers: [StoredServer(key: "a")], isCurrent: true)), [.ok, .ok]),
            (
                StateInspection(
                    contents: .intact(servers: [StoredServer(key: "a", failedProofs: 100)], isCurrent: false)
                ),
                [.ok, .problem]
            ),
            (StateInspection(contents: .unusable(StoreError(.damaged, reason: "It is.", remedy: "Do."))), [.problem]),
            (StateInspection(isWritable: false, contents: .none), [.note, .problem]),
            (StateInspection(isExposed: true, contents: .none), [.note, .problem]),
            (StateInspection(freeBytes: 10 << 20, contents: .none), [.note, .note]),
            (StateInspection(freeBytes: 1_000, contents: .none), [.note, .problem]),
            (StateInspection(freeBytes: 1 << 40, contents: .none), [.note]),
        ] as [(StateInspection, [CheckResult.State])]
    )
    func stateProblemHasARemedy(inspection: StateInspection, states: [CheckResult.State]) {
        let diagnostics = inspection.results(folder: "/state")
        #expect(diagnostics.map(\.state) == states)
        #expect(diagnostics.allSatisfy { $0.state != .problem || $0.remedy != nil })
    }

    @Test func unannouncedServerIsNoted() throws {
        let server = StoredServer(key: "garage", deviceID: "C8:D8:58:C6:63:F5", port: 51_826)
        let daemon = DaemonReport(version: "avahi 0.8", hostName: "a.local")
        func states(_ ports: Set<UInt16>?, _ services: [ResolvedService]) -> [CheckResult.State] {
            MachineReport.daemonResults(daemon, running: [server], ports: ports, services: services).prefix(2)
                .map(\.state)
        }
        var text = TXTRecord()
        text.append("id", "C8:D8:58:C6:63:F5")
        let service = ResolvedService(name: "G", host: "a.local", address: "192.0.2.1", port: 7, text: text)
        #expect(states([7], []) == [.ok, .note])
        #expect(states([7], [service]) == [.ok, .ok])
        #expect(states(nil, [service]) == [.ok, .ok])
        #expect(states([8], [service]) == [.ok, .problem])
    }
}
