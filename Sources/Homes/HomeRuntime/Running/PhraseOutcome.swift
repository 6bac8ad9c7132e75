internal import AccessoryModel
package import HomeModel

/// What a phrase has done in a home, would do in it, or answers.
package enum PhraseOutcome: Sendable {
    case answer(PhraseAnswer)
    /// The actions that a phrase asks for, which were not run, and the services that it includes but does not change.
    case plan([HomeAction], unchanged: [HomeService])
    /// The results of the actions, and the services that the phrase includes but does not change.
    case done([ActionResult], unchanged: [HomeService])
}

extension HomeBackend {
    /// Does what a phrase says in a home, or answers it.
    ///
    /// - Parameters:
    ///   - phrase: A phrase about this home.
    ///   - home: The home.
    ///   - isDryRun: Whether nothing is written.
    /// - Throws: ``HomeError`` if the values in the home do not allow what the phrase says, such as "brighter" for a lamp
    ///   that does not answer.
    package func perform(
        _ phrase: Phrase,
        in home: Home,
        isDryRun: Bool = false
    ) async throws(HomeError) -> PhraseOutcome {
        if case .question(let question) = phrase.meaning {
            let needed = PhraseAnswer.neededSelectors(for: question, in: home)
            return .answer(PhraseAnswer(to: question, in: home, await values(of: needed, in: home)))
        }
        let actions = try phrase.actions(
            in: home,
            values: await values(of: phrase.neededSelectors(in: home), in: home)
        )
        let unchanged = phrase.unchangedServices(by: actions, in: home)
        return isDryRun
            ? .plan(actions, unchanged: unchanged)
            : .done(await run(actions, in: home), unchanged: unchanged)
    }

    /// Reads the states of services of a home.
    package func statuses(of services: [HomeService], in home: Home) async -> [ServiceStatus] {
        let values = await values(of: services.flatMap { ServiceStatus.selectors(of: $0) }, in: home)
        return services.map { ServiceStatus(of: $0, values) }
    }
}

extension Phrase {
    /// Returns what the phrase would do, or `nil` if that depends on values, which a backend reads.
    package func plan(in home: Home) throws(HomeError) -> PhraseOutcome? {
        guard !isQuestion, neededSelectors(in: home).isEmpty else { return nil }
        let actions = try actions(in: home, values: [:])
        return .plan(actions, unchanged: unchangedServices(by: actions, in: home))
    }
}
