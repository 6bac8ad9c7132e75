internal import AccessoryModel

extension Home {
    /// Adds a scene.
    ///
    /// ``Homes/edit(_:_:)`` refuses a name or a built-in kind that another scene has, actions that cannot be run, and two
    /// actions that set the same characteristic.
    ///
    /// - Throws: ``HomeError`` if no id is left.
    public mutating func addScene(
        named name: ObjectName,
        kind: SceneKind = .userDefined,
        actions: [HomeAction] = []
    ) throws(HomeError) -> ObjectID<HomeScene> {
        let content = SceneContent<HomeIDs>(kind: kind, actions: actions)
        let scene = HomeScene(id: ObjectID(try nextNumber()), name: name, content: content)
        scenes.append(scene)
        return scene.id
    }

    /// Renames a scene; built-in scenes can be renamed too.
    ///
    /// ``Homes/edit(_:_:)`` refuses a name that is taken.
    ///
    /// - Throws: ``HomeError`` if the scene does not exist.
    public mutating func renameScene(_ id: ObjectID<HomeScene>, to name: ObjectName) throws(HomeError) {
        try rename(id, in: \.scenes, to: name)
    }

    /// Sets the kind of a scene.
    ///
    /// The kind of a built-in scene cannot be changed, because the scene could then be removed.
    ///
    /// - Throws: ``HomeError`` if the scene does not exist or is built-in, or if another scene has the built-in kind.
    public mutating func setKind(_ kind: SceneKind, of id: ObjectID<HomeScene>) throws(HomeError) {
        let index = try index(of: id, in: scenes)
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
        let index = try index(of: id, in: scenes)
        guard !scenes[index].kind.isBuiltIn else { throw .builtInSceneFixed(at: path(scenes[index].name)) }
        scenes.remove(at: index)
        return removeReferences(to: RemovedObjects(scenes: [id]), names: [:])
    }

    /// Adds an action to a scene.
    ///
    /// ``Homes/edit(_:_:)`` refuses an action that cannot be run, or whose characteristic the scene already sets.
    ///
    /// - Throws: ``HomeError`` if the scene does not exist.
    public mutating func addAction(_ action: HomeAction, to id: ObjectID<HomeScene>) throws(HomeError) {
        let index = try index(of: id, in: scenes)
        scenes[index].actions.append(action)
    }

    /// Replaces all actions of a scene.
    ///
    /// ``Homes/edit(_:_:)`` refuses actions that cannot be run, and two that set the same characteristic.
    ///
    /// - Throws: ``HomeError`` if the scene does not exist.
    public mutating func setActions(_ actions: [HomeAction], of id: ObjectID<HomeScene>) throws(HomeError) {
        let index = try index(of: id, in: scenes)
        scenes[index].actions = actions
    }

    /// Removes an action from a scene.
    ///
    /// - Throws: ``HomeError`` if the scene does not exist or does not set the characteristic.
    public mutating func removeAction(
        of characteristic: CharacteristicSelector,
        from id: ObjectID<HomeScene>
    ) throws(HomeError) {
        let index = try index(of: id, in: scenes)
        guard let position = scenes[index].actions.firstIndex(where: { $0.characteristic == characteristic }) else {
            throw .unknown("action of", characteristic.type.description, at: path(scenes[index].name))
        }
        scenes[index].actions.remove(at: position)
    }

    // MARK: Built-in scenes

    /// The built-in kinds with the names of their scenes in a new home of an app, as in Apple's Home.
    private static let builtInScenes: [(kind: SceneKind, name: String)] = [
        (.wakeUp, "Good Morning"), (.sleep, "Good Night"), (.homeDeparture, "Leave Home"),
        (.homeArrival, "Arrive Home"),
    ]

    /// Whether the home has no scene of a built-in kind.
    package var lacksBuiltInScenes: Bool {
        Self.builtInScenes.contains { scene in !scenes.contains { $0.kind == scene.kind } }
    }

    /// Adds an empty scene of each built-in kind that the home lacks, with a number after a name that is taken.
    package mutating func addBuiltInScenes() throws(HomeError) {
        for (kind, name) in Self.builtInScenes where !scenes.contains(where: { $0.kind == kind }) {
            var names = NameRegistry(scenes.lazy.map(\.name))
            _ = try addScene(named: names.registerUnused(ObjectName(checked: name)), kind: kind)
        }
    }
}
