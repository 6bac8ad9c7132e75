import AccessoryModel
import HAPController
import HAPCore
import HomeModel
import HomeRuntime
import Hosting
import Resources

/// A printer of the results of actions.
struct HomeActions {
    let options: HomeOptions

    /// Prints the results of actions.
    ///
    /// - Parameters:
    ///   - results: The results.
    ///   - resource: The results for `--json`.
    ///   - home: The home.
    ///   - unchanged: The services that a phrase includes but does not change.
    /// - Throws: ``CommandFailure`` after the results are printed, when one of the actions failed.
    func report(
        _ results: [ActionResult],
        _ resource: PhraseResource,
        in home: HomeIndex,
        unchanged: [HomeService] = []
    ) throws {
        let lines = results.map { result in
            let text = home.text(of: result.action)
            return result.hasSucceeded ? text : "\(text): \(result.failureReason(in: home))"
        }
        let text = lines.map { "\($0.escapingControlCharacters)\n" }.joined() + Self.line(ofUnchanged: unchanged)
        try options.controller.write(text, resource, PhraseResource.format)
        if let failure = CommandFailure(results) { throw failure }
    }

    /// Returns the line that names services that a phrase includes but does not change; empty if there are none.
    static func line(ofUnchanged services: [HomeService]) -> String {
        guard !services.isEmpty else { return "" }
        let names = services.prefix(5).map(\.name.text.escapingControlCharacters).joined(separator: ", ")
        return "Not changed: \(names)\(services.count > 5 ? " and \(services.count - 5) more" : "").\n"
    }
}
