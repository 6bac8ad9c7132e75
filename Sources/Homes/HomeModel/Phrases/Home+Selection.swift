internal import AccessoryModel

extension Home {
    /// Returns the services that a text describes as in a phrase, such as "lights upstairs".
    ///
    /// - Throws: ``HomeError`` if a word is not known, if the text has several meanings, or if it is about users.
    public func services(describedBy text: String) throws(HomeError) -> [HomeService] {
        services(withIDs: try selection(text).services)
    }

    /// Returns the services that a text describes, or all visible ones without a text.
    package func services(describedBy text: String?) throws(HomeError) -> [HomeService] {
        guard let text else { return visibleServices.map(\.service) }
        return services(withIDs: try selection(text).services)
    }

    /// Returns the characteristics that a text describes: those of the property that it names, or all that can be read.
    ///
    /// - Throws: ``HomeError``, as ``services(describedBy:)`` does.
    public func selectors(describedBy text: String) throws(HomeError) -> [CharacteristicSelector] {
        let question = try selection(text)
        if case .value = question { return PhraseAnswer.neededSelectors(for: question, in: self) }
        return readableSelectors(of: services(withIDs: question.services))
    }

    /// Returns the services with some ids, in the home's order.
    func services(withIDs ids: [ObjectID<HomeService>]) -> [HomeService] {
        let wanted = Set(ids)
        return accessories.flatMap { $0.services.filter { wanted.contains($0.id) } }
    }

    /// Returns the characteristics of services that can be read, except for their names.
    public func readableSelectors(of services: [HomeService]) -> [CharacteristicSelector] {
        services.flatMap { service in
            service.characteristics.filter { $0.permissions.contains(.read) && $0.type != .name }
                .map { CharacteristicSelector(service: service.id, type: $0.type) }
        }
    }

    private func selection(_ text: String) throws(HomeError) -> PhraseQuestion {
        let phrase = try Phrase(asking: text, in: self)
        guard case .question(let question) = phrase.meaning, !question.isAboutUsers else {
            throw HomeError(.describedUsers, in: text)
        }
        return question
    }
}

extension PhraseQuestion {
    fileprivate var isAboutUsers: Bool { if case .presence = self { true } else { false } }
}
