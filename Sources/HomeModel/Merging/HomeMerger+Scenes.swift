internal import AccessoryModel
internal import HAPCore

extension HomeMerger {
    mutating func mergeScenes() {
        var keys: Set<String> = []
        var kinds: [SceneKind: ObjectName] = [:]
        let before = home.scenes
        // Those of a built-in kind are found by it: what the home calls them until now is free.
        let named = Set(document.scenes.lazy.map(\.kind).filter(\.isBuiltIn))
        for scene in document.scenes where isFirst(scene.name, "scene", among: &keys) {
            let name = scene.name.value
            let actions = self.actions(scene.actions, at: name)
            if scene.kind.isBuiltIn {
                if let other = kinds[scene.kind] {
                    report(scene.name.place, .sceneKindTaken(other, at: place(name)))
                    continue
                }
                kinds[scene.kind] = name
            }
            let sameKind = scene.kind.isBuiltIn ? before.firstIndex { $0.kind == scene.kind } : nil
            let index =
                sameKind
                ?? before.firstIndex { $0.name.key == name.key && !named.contains($0.kind) }
            guard let index else {
                home.scenes.append(
                    HomeScene(id: ObjectID(number()), name: name, kind: scene.kind, actions: actions)
                )
                continue
            }
            guard before[index].kind == scene.kind || !before[index].kind.isBuiltIn else {
                var error = HomeError.builtInSceneFixed(at: place(name))
                error.reason = "\(name) is the home's scene of the kind \(before[index].kind.rawValue)."
                error.remedy = "Write \"kind: \(before[index].kind.rawValue)\" in it, or choose another name."
                report(scene.name.place, error)
                continue
            }
            home.scenes[index] = HomeScene(id: before[index].id, name: name, kind: scene.kind, actions: actions)
        }
    }

    /// The actions of a file in a home; notes what cannot be run or waits for an accessory.
    mutating func actions(_ documented: [DocumentedAction], at owner: ObjectName) -> [HomeAction] {
        var actions: [HomeAction] = []
        var seen: Set<CharacteristicSelector> = []
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
        return actions
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
            let names = service.characteristics.lazy.map(\.type.written)
            error.remedy =
                spelling.nearest(to: text, among: names).map { "Did you mean \($0)?" }
                ?? "It has \(names.prefix(20).joined(separator: ", "))."
            let accessory = home.accessory(of: service.id)
            if let accessory, isMissing(accessory) {
                wait(name.place, error)
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
            case .text(let text), .spelt(_, let text): text
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
