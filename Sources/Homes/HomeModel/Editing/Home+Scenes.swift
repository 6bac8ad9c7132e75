internal import AccessoryModel

extension Home {
    /// Adds a scene.
    ///
    /// - Throws: ``HomeError`` if another scene has the name or the built-in kind, an action cannot be run, two actions
    ///   set the same characteristic, or a limit is exceeded.
    public mutating func addScene(
        named name: ObjectName,
        kind: SceneKind = .userDefined,
        actions: [HomeAction] = []
    ) throws(HomeError) -> ObjectID<HomeScene> {
        try checkIsUnused(name, in: scenes, "another scene", except: nil)
        try checkCount(scenes.count + 1, "scenes", limit: HomeLimits.scenes)
        if kind.isBuiltIn, let other = scenes.first(where: { $0.kind == kind }) {
            throw .sceneKindTaken(other.name, at: path(name))
        }
        let scene = HomeScene(id: ObjectID(nextID), name: name, content: SceneContent(kind: kind, actions: actions))
        try check(scene)
        _ = try nextNumber()
        scenes.append(scene)
        return scene.id
    }

    /// Renames a scene; built-in scenes can be renamed too.
    ///
    /// - Throws: ``HomeError`` if the scene does not exist or the name is taken.
    public mutating func renameScene(_ id: ObjectID<HomeScene>, to name: ObjectName) throws(HomeError) {
        let index = try index(of: id, in: scenes, "scene")
        try checkIsUnused(name, in: scenes, "another scene", except: id)
        scenes[index].name = name
    }

    /// Sets the kind of a scene.
    ///
    /// The kind of a built-in scene cannot be changed, because the scene could then be removed.
    ///
    /// - Throws: ``HomeError`` if the scene does not exist or is built-in, or if another scene has the built-in kind.
    public mutating func setKind(_ kind: SceneKind, of id: ObjectID<HomeScene>) throws(HomeError) {
        let index = try index(of: id, in: scenes, "scene")
        let scene = scenes[index]
        guard kind != scene.kind else { return }
        guard !scene.kind.isBuiltIn else { throw .builtInSceneFixed(at: path(scene.name)) }
        if let other = scenes.first(where: { $0.kind == kind }) {
            throw .sceneKindTaken(other.name, at: path(scene.name))
        }
        scenes[index].kind = kind
    }

    /// Removes a user-defined scene, also from automations.
    ///
    /// - Throws: ``HomeError`` if the scene does not exist or is built-in.
    @discardableResult
    public mutating func removeScene(_ id: ObjectID<HomeScene>) throws(HomeError) -> [EditEffect] {
        let index = try index(of: id, in: scenes, "scene")
        guard !scenes[index].kind.isBuiltIn else { throw .builtInSceneFixed(at: path(scenes[index].name)) }
        scenes.remove(at: index)
        return removeReferences(to: RemovedObjects(scenes: [id]), names: [:])
    }

    /// Adds an action to a scene.
    ///
    /// - Throws: ``HomeError`` if the scene does not exist, the action cannot be run, or the scene already sets the
    ///   characteristic.
    public mutating func addAction(_ action: HomeAction, to id: ObjectID<HomeScene>) throws(HomeError) {
        let index = try index(of: id, in: scenes, "scene")
        var scene = scenes[index]
        scene.actions.append(action)
        try check(scene)
        scenes[index] = scene
    }

    /// Replaces all actions of a scene.
    ///
    /// - Throws: ``HomeError`` if the scene does not exist, an action cannot be run, or two actions set the same
    ///   characteristic.
    public mutating func setActions(_ actions: [HomeAction], of id: ObjectID<HomeScene>) throws(HomeError) {
        let index = try index(of: id, in: scenes, "scene")
        var scene = scenes[index]
        scene.actions = actions
        try check(scene)
        scenes[index] = scene
    }

    /// Removes an action from a scene.
    ///
    /// - Throws: ``HomeError`` if the scene does not exist or does not set the characteristic.
    public mutating func removeAction(
        of characteristic: CharacteristicSelector,
        from id: ObjectID<HomeScene>
    ) throws(HomeError) {
        let index = try index(of: id, in: scenes, "scene")
        guard let position = scenes[index].actions.firstIndex(where: { $0.characteristic == characteristic }) else {
            throw .unknown("action of", characteristic.type.description, at: path(scenes[index].name))
        }
        scenes[index].actions.remove(at: position)
    }

    private func check(_ scene: HomeScene) throws(HomeError) {
        let place = path(scene.name)
        try checkCount(scene.actions.count, "actions of a scene", limit: HomeLimits.actions)
        let others = scenes.lazy.filter { $0.id != scene.id }.map(\.content.actions.count).reduce(0, +)
        try checkCount(others + scene.actions.count, "actions", limit: HomeLimits.allActions)
        var seen: Set<CharacteristicSelector> = []
        for action in scene.actions {
            if let error = violation(of: action, at: place) { throw error }
            guard seen.insert(action.characteristic).inserted else {
                let service = service(action.characteristic.service)?.name.text ?? ""
                throw .duplicateAction(action.characteristic.type.description, of: service, at: place)
            }
        }
    }
}
