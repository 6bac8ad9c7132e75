import AccessoryModel
import HAPController
import HAPCore
import HomeModel
import HomeRuntime
import Hosting

/// A printer of the results of actions.
struct HomeActions {
    let options: HomeOptions

    /// Prints the results of actions.
    ///
    /// - Parameters:
    ///   - results: The results.
    ///   - home: The home.
    ///   - unchanged: The services that a phrase includes but does not change; `nil` if there is no phrase.
    /// - Throws: ``CommandFailure`` after the results are printed, when one of the actions failed.
    func report(_ results: [ActionResult], in home: Home, unchanged: [HomeService]? = nil) throws {
        let home = HomeIndex(home)
        let lines = results.map { result in
            let text = home.text(of: result.action)
            return result.hasSucceeded ? text : "\(text): \(result.failureReason(in: home))"
        }
        let text = lines.map { "\($0.escapingControlCharacters)\n" }.joined() + Self.line(ofUnchanged: unchanged ?? [])
        try options.controller.write(text) { writer in
            writer.list("results", results) { result, writer in
                writer.member("set", home.text(of: result.action.characteristic))
                writer.member("to", result.action.value)
                writer.member("outcome", result.outcome.scriptWord)
                if case .refused(let code) = result.outcome { writer.member("status", code) }
                writer.member("message", ifPresent: result.hasSucceeded ? nil : result.failureReason(in: home))
            }
            writer.member("unchanged", ifPresent: unchanged?.map(\.name.text))
        }
        if let failure = CommandFailure(results) { throw failure }
    }

    /// Returns the line that names services that a phrase includes but does not change; empty if there are none.
    static func line(ofUnchanged services: [HomeService]) -> String {
        guard !services.isEmpty else { return "" }
        let names = services.prefix(5).map(\.name.text.escapingControlCharacters).joined(separator: ", ")
        return "Not changed: \(names)\(services.count > 5 ? " and \(services.count - 5) more" : "").\n"
    }
}
