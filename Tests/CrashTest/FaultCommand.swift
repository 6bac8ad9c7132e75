import ArgumentParser
import Foundation
import Glibc
import Synchronization

/// Takes a server's disk away in every way, and gives it back.
struct FaultCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "faults",
        abstract: "Let the disk under a server fail; it must say so, go on, and recover."
    )

    @Option(help: "The release binary.")
    var hap = ".build/release/hap"

    @Option(help: "What Tests/CrashTest/Preloaded/faults.c was compiled to.")
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
                            "\(testBench.failures) calls failed, \(testBench.acknowledged) times it was done all the same"
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
            printLine("The state is kept in \(folder).")
            throw ExitCode.failure
        }
        try FileManager.default.removeItem(atPath: folder)
    }
}
