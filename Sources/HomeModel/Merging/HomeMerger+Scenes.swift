internal import AccessoryModel
internal import HAPCore

extension HomeMerger {
    mutating func mergeScenes() {
        var keys: Set<String> = []
        for scene in document.scenes where isFirst(scene.name, "scene", among: &keys) {
            let name = scene.name.value
            let actions = self.actions(scene.actions, at: name).found
            var index = home.scenes.firstIndex { $0.name.key == name.key }
            if index == nil, scene.kind.isBuiltIn {
                // There is one of a kind, whatever it is called.
                index = home.scenes.firstIndex { $0.kind == scene.kind && !keys.contains($0.name.key) }
            }
            if let index {
                if home.scenes[index].kind.isBuiltIn, home.scenes[index].kind != scene.kind {
                    report(scene.name.place, .builtInSceneFixed(at: place(name)))
                    continue
                }
                home.scenes[index] = HomeScene(
                    id: home.scenes[index].id,
                    name: name,
                    kind: scene.kind,
                    actions: actions
                )
            } else {
                home.scenes.append(
                    HomeScene(id: ObjectID(number()), name: name, kind: scene.kind, actions: actions)
                )
            }
        }
    }

    /// The actions of a file in a home; notes what cannot be run, and says whether some wait for an accessory.
    mutating func actions(
        _ documented: [DocumentedAction],
        at owner: ObjectName
    ) -> (found: [HomeAction], areWhole: Bool) {
        var actions: [HomeAction] = []
        var seen: Set<CharacteristicSelector> = []
        let count = pending.count
        for action in documented {
            guard let (selector, characteristic) = characteristic(action.characteristic, at: owner) else { continue }
            guard let value = value(action.value, of: characteristic, at: owner) else { continue }
            let service = directory.services[selector.service]
            let made = HomeAction(characteristic: selector, value: value)
            if let error = Home.violation(of: made, on: service, at: place(owner)) {
                report(error.code == .invalidValue ? action.value.place : action.characteristic.place, error)
            } else if !seen.insert(selector).inserted {
                report(
                    action.characteristic.place,
                    .duplicateAction(characteristic.shownName, of: service?.name.text ?? "", at: place(owner))
                )
            } else {
                actions.append(made)
            }
        }
        return (actions, pending.count == count)
    }

    /// The characteristic that a text names; notes that there is none.
    mutating func characteristic(
        _ name: Placed<String>,
        at owner: ObjectName
    ) -> (CharacteristicSelector, HomeCharacteristic)? {
        switch directory.characteristic(name.value) {
        case .characteristic(let selector, let characteristic):
            return (selector, characteristic)
        case .noService(let text):
            guard name.value.contains("/") else {
                report(
                    name.place,
                    HomeError(
                        .noSuchCharacteristic,
                        at: place(owner),
                        "\(ObjectName.quoted(name.value)) names no property of a service.",
                        remedy: "Write Service/Property, such as Garage Light/On."
                    )
                )
                return nil
            }
            reportUnknown(service: Placed(text, at: name.place), at: owner)
            return nil
        case .noCharacteristic(let service, let type, let text):
            var error = HomeError.noSuchCharacteristic(type ?? .name, of: service.name.text, at: place(owner))
            error.reason = "\(service.name) has no \(ObjectName.quoted(text))."
            let names = service.characteristics.map(\.type.written)
            error.remedy =
                errors.count < 200
                ? Spelling.nearest(to: text, among: names).map { "Did you mean \($0)?" }
                    ?? "It has \(names.prefix(20).joined(separator: ", "))."
                : error.remedy
            let accessory = home.accessory(of: service.id)
            if let accessory, accessory.reference == nil, announced[accessory.id] == nil {
                pending.append(HomeFinding(at: name.place, error))
            } else {
                report(name.place, error)
            }
            return nil
        }
    }

    /// The value of a characteristic that is meant; notes that there is none.
    mutating func value(
        _ value: Placed<DocumentedValue>,
        of characteristic: HomeCharacteristic,
        at owner: ObjectName
    ) -> CharacteristicValue? {
        if let found = value.value.value(of: characteristic) { return found }
        let text =
            switch value.value {
            case .bool(let flag): flag ? "true" : "false"
            case .number(let number): number.description
            case .text(let text): text
            }
        let names = Catalogue.characteristic(characteristic.type)?.valueNames.map(\.name) ?? []
        var error = HomeError.invalidValue(.string(text), of: characteristic, at: place(owner))
        error.reason = "\(ObjectName.quoted(text)) is no value of \(characteristic.shownName)."
        if !names.isEmpty {
            error.remedy = "Write one of \(names.joined(separator: ", "))."
        }
        report(value.place, error)
        return nil
    }
}
