internal import AccessoryModel
internal import Documents
internal import HAPCore

extension HomeMerger {
    mutating func mergeAutomations() {
        var keys: Set<String> = []
        let rules = AutomationRules(home)
        indexScenes()
        for described in document.automations where isFirst(described.name, "automation", among: &keys) {
            let name = described.name.value
            let index = home.automations.firstIndex { $0.name.key == name.key }
            let (waiting, wrong) = (findings.pending.count, findings.errors.count)
            owner = name
            guard let rule = described.content.resolved(by: &self), findings.errors.count == wrong,
                findings.pending.count == waiting
            else { continue }
            // An automation that went with what it set, and is in the file again, is still the same one.
            let id = index.map { home.automations[$0].id } ?? automationNumbers[name.key]
            let violations = rules.violations(of: Automation(id: id ?? ObjectID(0), name: name, rule: rule))
            for violation in violations {
                report(described.name.location, violation)
            }
            guard violations.isEmpty else { continue }
            if let index {
                home.automations[index].name = name
                home.automations[index].rule = rule
            } else {
                home.automations.append(Automation(id: id ?? ObjectID(number()), name: name, rule: rule))
            }
        }
    }
}

extension HomeMerger {
    fileprivate mutating func indexScenes() {
        scenesByKey = home.scenes.idsByName
    }
}

extension Home {
    /// Resolves the names in the rule of an automation.
    ///
    /// - Throws: ``HomeError``: it refers to something that is not in the home, or to a value that a characteristic does not
    ///   have.
    package func resolve(
        _ rule: AutomationRule<HomeNames>,
        of automation: ObjectName
    ) throws(HomeError) -> AutomationRule<HomeIDs> {
        var merger = HomeMerger(
            home: self,
            document: HomeDescription(name: Located(name)),
            known: KnownAccessories([]),
            isWhole: false
        )
        merger.directory = MergeDirectory(self)
        merger.owner = automation
        merger.indexScenes()
        let resolved = rule.resolved(by: &merger)
        // What waits for an accessory that is missing cannot wait on a command line.
        if let finding = (merger.findings.errors.findings + merger.findings.pending.findings).first {
            throw finding.value
        }
        guard let resolved else { throw .unknown("part", "of an automation", at: name.text) }
        return resolved
    }
}

extension HomeMerger: HomeResolver {
    typealias From = HomeNames
    typealias To = HomeIDs

    mutating func scene(_ reference: Located<String>) -> ObjectID<HomeScene>? {
        if let id = scenesByKey[MergeDirectory.key(of: reference.value)] { return id }
        report(reference.location, unknown("scene", reference.value, among: home.scenes.nameTexts))
        return nil
    }

    mutating func user(_ reference: Located<String>) -> ObjectID<HomeUser>? {
        let key = MergeDirectory.key(of: reference.value)
        if let user = home.users.first(where: { $0.name.key == key }) { return user.id }
        report(reference.location, unknown("user", reference.value, among: home.users.nameTexts))
        return nil
    }

    mutating func characteristic(_ reference: Located<String>) -> CharacteristicSelector? {
        switch directory.characteristic(reference.value) {
        case .characteristic(let selector):
            return selector
        case .noService(let text):
            guard reference.value.contains("/") else {
                let reason = "\(ObjectName.quoted(reference.value)) names no property of a service."
                let remedy = "Write Service/Property, such as Garage Light/On."
                report(reference.location, HomeError(.noSuchCharacteristic, at: place(owner), reason, remedy: remedy))
                return nil
            }
            reportUnknown(service: Located(text, at: reference.location), at: owner)
            return nil
        case .noCharacteristic(let service, let text):
            let error = HomeError.noSuchCharacteristic(text, of: service, at: place(owner), &findings.spelling)
            let accessory = home.accessory(of: service.id)
            if let accessory, isMissing(accessory) {
                wait(reference.location, error)
            } else {
                report(reference.location, error)
            }
            return nil
        }
    }

    mutating func value(
        _ value: Located<String>,
        of characteristic: Located<String>,
        as resolved: CharacteristicSelector
    ) -> CharacteristicValue? {
        guard let known = directory.services[resolved.service]?.characteristic(resolved.type) else { return nil }
        if let found = known.base.value(of: value.value) { return found }
        report(value.location, .invalidValue(value.value, of: known, at: place(owner)))
        return nil
    }

    /// Resolves actions; notes what cannot be run, occurs twice, or waits for an accessory.
    mutating func actions(_ actions: [Action<HomeNames>]) -> [HomeAction]? {
        var found: [HomeAction] = []
        var seen: Set<CharacteristicSelector> = []
        for action in actions {
            guard let resolved = action.resolved(by: &self) else { continue }
            let service = directory.services[resolved.characteristic.service]
            if let error = Home.violation(of: resolved, on: service, at: place(owner)) {
                report(error.code == .invalidValue ? action.value.location : action.characteristic.location, error)
            } else if !seen.insert(resolved.characteristic).inserted {
                let name = service?.characteristic(resolved.characteristic.type)?.shownName ?? ""
                report(
                    action.characteristic.location,
                    .duplicateAction(name, of: service?.name.text ?? "", at: place(owner))
                )
            } else {
                found.append(resolved)
            }
        }
        return found
    }
}
