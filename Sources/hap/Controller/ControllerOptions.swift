import AccessoryModel
import ArgumentParser
import Foundation
import HAPController

/// What all commands of the controller take.
struct ControllerOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Where the pairings are kept. Default: $XDG_STATE_HOME/hap or ~/.local/state/hap.",
            valueName: "folder"
        ),
        completion: .directory
    )
    var state: String?

    @Flag(help: "Print JSON.")
    var json = false

    /// Opens the controller, and closes it after the work, however that ends.
    ///
    /// - Throws: ``CommandFailure``, which says what a ``ControllerError`` means to scripts.
    func withController<Result>(_ work: (Controller) async throws -> Result) async throws -> Result {
        let folder = try StateLocation(state, environment: ProcessInfo.processInfo.environment)
        do {
            let store = try await ControllerStateStore.open(folder: folder.path)
            let controller: Controller
            let outcome: Swift.Result<Result, any Error>
            do {
                controller = try await Controller.open(store: store)
            } catch {
                try? await store.close()
                throw error
            }
            do {
                outcome = .success(try await work(controller))
            } catch {
                outcome = .failure(error)
            }
            await controller.close()
            // All that was kept is on disk already.
            try? await store.close()
            return try outcome.get()
        } catch let error as ControllerError {
            throw CommandFailure(error)
        } catch let error as StoreError {
            throw CommandFailure(error)
        }
    }
}
