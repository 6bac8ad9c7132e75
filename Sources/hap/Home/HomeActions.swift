import AccessoryModel
import HAPController
import HAPCore
import HomeModel
import HomeRuntime

/// Runs actions on the network, and says what became of each.
struct HomeActions {
    let options: HomeOptions

    /// - Throws: ``CommandFailure`` after the report when one of them was not done.
    func run(_ actions: [HomeAction], in home: Home) async throws {
        let results = try await options.controller.withController { controller in
            await NetworkWorld(controller).run(actions, in: home)
        }
        if options.json {
            var writer = JSONWriter()
            writer.beginObject()
            writer.list("results", results) { result, writer in
                writer.member("set", home.text(of: result.action.characteristic))
                writer.key("to")
                writer.value(result.action.value)
                writer.member("outcome", result.outcome.word)
                if case .refused(let code) = result.outcome {
                    writer.key("status")
                    writer.value(code)
                }
                if !result.isDone {
                    writer.member("reason", result.reason(in: home))
                }
            }
            writer.endObject()
            try Output.write(writer)
        } else {
            let lines = results.map { result in
                let text = home.text(of: result.action)
                return result.isDone ? text : "\(text): \(result.reason(in: home))"
            }
            try Output.write(lines.map { "\($0.withVisibleControls)\n" }.joined())
        }
        if let failure = CommandFailure(results) { throw failure }
    }
}
