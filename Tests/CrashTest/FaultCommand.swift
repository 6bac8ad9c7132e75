import ArgumentParser
import Foundation
import Glibc
import Synchronization

/// A command that makes a server's disk fail in every way, and then work again.
struct FaultCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "faults",
        abstract: "Make the disk of a server fail; the server must report it, continue and recover."
    )

    @Option(help: "The release binary.")
    var hap = ".build/release/hap"

    @Option(help: "The compiled library of Tests/CrashTest/Preloaded/faults.c.")
    var library = ".build/crash-test/faults.so"

    func run() throws {
        signal(SIGPIPE, SIG_IGN)
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("hap-faults-\(getpid())").path
        let (hap, library) = (try KillCommand.absolute(hap), try KillCommand.absolute(library))
        let diagnostics = Mutex(0)
        let ended = DispatchGroup()
        var tasks: [(name: String, body: @Sendable (_ place: String) throws -> String)] = [
            ("order", { try SyncOrder.check(hap: hap, library: library, folder: folder + "/order", address: $0) }),
            ("file size limit", { try SizeLimit.check(hap: hap, folder: folder + "/limit", address: $0) }),
            ("disk", { try DiskCommand.runInNamespace(hap: hap, folder: folder + "/disk", address: $0) }),
        ]
        for operation in FaultTestBench.Operation.allCases {
            tasks.append(
                (
                    operation.rawValue,
                    { place in
                        var testBench = try FaultTestBench(
                            operation,
                            hap: hap,
                            library: library,
                            folder: "\(folder)/\(operation)",
                            address: place
                        )
                        try testBench.run()
                        return
                            "\(testBench.failures) calls failed; \(testBench.acknowledged) operations succeeded anyway"
                    }
                )
            )
        }
        for (number, task) in tasks.enumerated() {
            ended.enter()
            Thread.detachNewThread {
                do {
                    let outcome = try task.body(Worker.address(number + 1))
                    printLine("\(task.name): \(outcome)")
                } catch {
                    printLine("FAILED \(task.name): \(error)")
                    diagnostics.withLock { $0 += 1 }
                }
                ended.leave()
            }
        }
        ended.wait()
        guard diagnostics.withLock({ $0 }) == 0 else {
            printLine("The state is in \(folder).")
            throw ExitCode.failure
        }
        try FileManager.default.removeItem(atPath: folder)
    }
}
