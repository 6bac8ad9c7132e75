internal import AccessoryModel
internal import Documents
internal import HAPCore

extension HomeMerger {
    mutating func mergeScenes() {
        var keys: Set<String> = []
        var kinds: [SceneKind: ObjectName] = [:]
        let before = home.scenes
        // Those of a built-in kind are found by it: what the home calls them until now is free.
        let named = Set(document.scenes.lazy.map(\.content.kind).filter(\.isBuiltIn))
        for scene in document.scenes where isFirst(scene.name, "scene", among: &keys) {
            let name = scene.name.value
            let kind = scene.content.kind
            owner = name
            let content = SceneContent<HomeIDs>(kind: kind, actions: actions(scene.content.actions) ?? [])
            if kind.isBuiltIn {
                if let other = kinds[kind] {
                    report(scene.name.location, .sceneKindTaken(other, at: place(name)))
                    continue
                }
                kinds[kind] = name
            }
            let sameKind = kind.isBuiltIn ? before.firstIndex { $0.kind == kind } : nil
            let index =
                sameKind
                ?? before.firstIndex { $0.name.key == name.key && !named.contains($0.kind) }
            guard let index else {
                home.scenes.append(HomeScene(id: ObjectID(number()), name: name, content: content))
                continue
            }
            guard before[index].kind == kind || !before[index].kind.isBuiltIn else {
                var error = HomeError.builtInSceneFixed(at: place(name))
                error.reason = "\(name) is the home's scene of the kind \(before[index].kind.rawValue)."
                error.remedy = "Write \"kind: \(before[index].kind.rawValue)\" in it, or choose another name."
                report(scene.name.location, error)
                continue
            }
            home.scenes[index] = HomeScene(id: before[index].id, name: name, content: content)
        }
    }
}
