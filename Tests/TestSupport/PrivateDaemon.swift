import Foundation

/// A private D-Bus system bus and Avahi daemon of the test process, on a private loopback interface.
///
/// `libdbus` reads the address of the bus once per process, so there is one address, and the tests that use it run one
/// after the other. Both daemons end with the test process, even if it crashes: each is started by a shell that waits
/// for the end of its standard input, which the test process keeps open.
package actor PrivateDaemon {
    private let bus: GuardedProcess
    private var avahi: GuardedProcess?

    /// Whether this machine can run the daemons: the programs are installed, and namespaces can be created.
    package static let isAvailable: Bool = {
        let programs = ["dbus-daemon", "avahi-daemon", "avahi-browse", "unshare", "nsenter", "ip"]
        let check = programs.map { "command -v \($0)" }.joined(separator: " && ")
        return shell("{ \(check) && \(namespace) true; } >/dev/null 2>&1").status == 0
    }()

    /// Sets the address of the private bus in this process; the bus does not need to run.
    ///
    /// Call it before any other use of the bus.
    package static func prepareEnvironment() {
        setenv("DBUS_SYSTEM_BUS_ADDRESS", "unix:path=\(busPath)", 1)
    }

    /// Starts the bus without an Avahi daemon.
    ///
    /// - Parameter maximumConnections: The maximum number of connections per user, including Avahi's.
    package init(maximumConnections: Int = 256) async throws {
        Self.prepareEnvironment()
        let configuration = Self.directory + "/bus.conf"
        try Self.busConfiguration(maximumConnections).write(toFile: configuration, atomically: true, encoding: .utf8)
        bus = try GuardedProcess("dbus-daemon --config-file=\(configuration) --nofork --nopidfile")
        // The file exists before the bus listens, which the flag of the socket says.
        try await eventually("the bus listens") {
            Self.shell("grep -q ' 00010000 .* \(Self.busPath)$' /proc/net/unix").status == 0
        }
    }

    /// Starts the Avahi daemon, and returns once it answers.
    package func startAvahi() async throws {
        let configuration = Self.directory + "/avahi.conf"
        try Self.avahiConfiguration.write(toFile: configuration, atomically: true, encoding: .utf8)
        let command = """
            \(Self.namespace) sh -c 'ip link set lo up && mount -t tmpfs tmpfs /run && mkdir /run/avahi-daemon && \
            exec avahi-daemon --file=\(configuration) --no-rlimits --no-drop-root --no-chroot --no-proc-title'
            """
        avahi = try GuardedProcess(command)
        try await eventually("Avahi answers") {
            Self.shell("avahi-browse --all --terminate >/dev/null 2>&1").status == 0
        }
    }

    /// Kills the Avahi daemon, so that it sends no goodbye.
    package func killAvahi() {
        avahi?.stop()
        avahi = nil
    }

    /// Sends a signal to the Avahi daemon: `SIGSTOP` makes it hang, and `SIGCONT` resumes it.
    package func signalAvahi(_ signal: Int32) throws {
        guard let avahi, avahi.processID > 0, kill(avahi.processID, signal) == 0 else {
            throw TestFailure("the Avahi daemon took signal \(signal)")
        }
    }

    /// Runs a command in the Avahi daemon's network, and returns whether it succeeded.
    package func runInAvahiNetwork(_ command: String) throws -> Bool {
        guard let avahi, avahi.processID > 0 else { return false }
        let user = getuid() == 0 ? "" : "--user --preserve-credentials"
        return Self.shell("nsenter --target \(avahi.processID) \(user) --net \(command)").status == 0
    }

    /// Ends both daemons.
    package func stop() {
        killAvahi()
        bus.stop()
        try? FileManager.default.removeItem(atPath: Self.busPath)
    }

    /// Returns the services of a type that can be found and resolved now, by name.
    package nonisolated func browse(_ type: String = "_hap._tcp") -> [String: BrowsedService] {
        let output = Self.shell("timeout 30 avahi-browse --resolve --parsable --terminate \(type) 2>/dev/null").output
        let services = output.split(separator: "\n").compactMap { BrowsedService(line: $0) }
        return Dictionary(services.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    private static let directory: String = {
        let path = NSTemporaryDirectory() + "hap-bus-\(ProcessInfo.processInfo.processIdentifier)"
        try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return path
    }()

    private static let busPath = directory + "/socket"

    /// The Avahi daemon gets its own mount and network namespaces.
    ///
    /// A machine has only one `/run/avahi-daemon`, and two daemons on one loopback interface would take each other's
    /// names forever. The bus's socket is a file, which both namespaces share.
    private static let namespace = getuid() == 0 ? "unshare --mount --net" : "unshare --map-root-user --mount --net"

    private static func shell(_ command: String) -> (status: Int32, output: String) {
        let pipe = Pipe()
        guard let process = try? ChildProcess(["/bin/sh", "-c", command], output: pipe.fileHandleForWriting) else {
            return (127, "")
        }
        try? pipe.fileHandleForWriting.close()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: output, as: UTF8.self))
    }

    private static func busConfiguration(_ maximumConnections: Int) -> String {
        """
        <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
         "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
        <busconfig>
          <type>system</type>
          <listen>unix:path=\(busPath)</listen>
          <limit name="max_connections_per_user">\(maximumConnections)</limit>
          <policy context="default">
            <allow user="*"/>
            <allow own="*"/>
            <allow send_type="method_call"/>
            <allow send_type="signal"/>
            <allow send_requested_reply="true"/>
            <allow receive_type="method_call"/>
            <allow receive_type="signal"/>
            <allow receive_requested_reply="true"/>
          </policy>
        </busconfig>
        """
    }

    private static var avahiConfiguration: String {
        """
        [server]
        host-name=hap-tests
        use-ipv4=yes
        use-ipv6=no
        allow-interfaces=lo
        [wide-area]
        enable-wide-area=no
        [publish]
        publish-workstation=no
        """
    }
}
