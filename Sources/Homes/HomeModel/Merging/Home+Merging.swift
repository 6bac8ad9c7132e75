internal import AccessoryModel
internal import Documents
internal import HAPCore

// Merging of the objects that a file describes completely and by name.
extension Home {
    /// Returns the id for a new object, or the invalid id 0 if none is left.
    mutating func newID<Thing>() -> ObjectID<Thing> {
        ObjectID((try? nextNumber()) ?? 0)
    }

    /// Finds the object with a name or adds it, then sets its name to that of the file and changes it.
    ///
    /// - Parameter names: The names before the merge; those in the file occur in it only once.
    private mutating func renameOrAdd<Thing: HomeObject>(
        _ name: ObjectName,
        into things: WritableKeyPath<Home, [Thing]>,
        _ names: ObjectNames<Thing>,
        new: (ObjectID<Thing>, ObjectName) -> Thing,
        change: (inout Thing) -> Void = { _ in }
    ) {
        let index = names.index(of: name) ?? self[keyPath: things].count
        if index == self[keyPath: things].count {
            let thing = new(newID(), name)
            self[keyPath: things].append(thing)
        }
        self[keyPath: things][index].name = name
        change(&self[keyPath: things][index])
    }

    mutating func mergeRooms(_ described: [Located<ObjectName>], _ diagnostics: inout MergeDiagnostics) {
        var keys: Set<String> = []
        let names = ObjectNames(rooms)
        for room in described where diagnostics.isFirst(room, "room", among: &keys) {
            renameOrAdd(room.value, into: \.rooms, names, new: Room.init(id:name:))
        }
    }

    mutating func mergeZones(_ described: [Named<[Located<String>]>], _ diagnostics: inout MergeDiagnostics) {
        var keys: Set<String> = []
        let names = ObjectNames(zones)
        let rooms = ObjectNames(rooms)
        for zone in described where diagnostics.isFirst(zone.name, "zone", among: &keys) {
            let place = diagnostics.path(zone.name.value)
            var ids: [ObjectID<Room>] = []
            var seen: Set<ObjectID<Room>> = []
            for name in zone.content {
                guard let id = diagnostics.room(name, in: rooms) else { continue }
                if id == .entireHome {
                    diagnostics.report(name.location, .entireHomeRoomInZone(at: place))
                } else if !seen.insert(id).inserted {
                    diagnostics.report(name.location, .roomTwice(name.value, at: place))
                } else {
                    ids.append(id)
                }
            }
            let new = { (id: ObjectID<Zone>, name: ObjectName) in Zone(id: id, name: name) }
            renameOrAdd(zone.name.value, into: \.zones, names, new: new, change: { $0.rooms = ids })
        }
    }

    mutating func mergeUsers(_ described: [Named<UserAccess>], _ diagnostics: inout MergeDiagnostics) {
        var keys: Set<String> = []
        let names = ObjectNames(users)
        for user in described where diagnostics.isFirst(user.name, "user", among: &keys) {
            let new = { (id: ObjectID<HomeUser>, name: ObjectName) in
                HomeUser(id: id, name: name, access: UserAccess(role: .member))
            }
            renameOrAdd(user.name.value, into: \.users, names, new: new, change: { $0.access = user.content })
        }
        guard let owner = described.first(where: { $0.content.role == .owner }) else { return }
        // A new owner turns the previous one into an administrator, unless the file itself names two owners.
        for index in users.indices where users[index].role == .owner && users[index].name.key != owner.name.value.key {
            guard !keys.contains(users[index].name.key) else { continue }
            users[index].role = .administrator
        }
    }

    mutating func mergeGroups(_ described: [Named<[Located<String>]>], _ resolver: inout IDResolver) {
        var keys: Set<String> = []
        let names = ObjectNames(serviceGroups)
        for group in described where resolver.diagnostics.isFirst(group.name, "service group", among: &keys) {
            let place = resolver.diagnostics.path(group.name.value)
            resolver.owner = group.name.value
            var ids: [ObjectID<HomeService>] = []
            var seen: Set<ObjectID<HomeService>> = []
            for name in group.content {
                guard let service = resolver.service(name) else { continue }
                if !service.isVisible {
                    resolver.diagnostics.report(name.location, .hiddenService(service.name.text, at: place))
                } else if !seen.insert(service.id).inserted {
                    resolver.diagnostics.report(name.location, .serviceTwice(service.name.text, at: place))
                } else {
                    ids.append(service.id)
                }
            }
            let new = { (id: ObjectID<ServiceGroup>, name: ObjectName) in ServiceGroup(id: id, name: name) }
            renameOrAdd(group.name.value, into: \.serviceGroups, names, new: new, change: { $0.services = ids })
        }
    }

    mutating func mergeScenes(_ described: [Named<SceneContent<HomeNames>>], _ resolver: inout IDResolver) {
        var keys: Set<String> = []
        var kinds: [SceneKind: ObjectName] = [:]
        let before = scenes
        // Scenes of built-in kinds are found by their kind, so their current names are free.
        let named = Set(described.lazy.map(\.content.kind).filter(\.isBuiltIn))
        let indicesByKind = before.indices.keyed(by: { before[$0].kind }, \.self)
        let indicesByName = before.indices.lazy.filter { !named.contains(before[$0].kind) }
            .keyed(by: { before[$0].name.key }, \.self)
        for scene in described where resolver.diagnostics.isFirst(scene.name, "scene", among: &keys) {
            let name = scene.name.value
            let kind = scene.content.kind
            let place = resolver.diagnostics.path(name)
            resolver.owner = name
            let content = SceneContent<HomeIDs>(kind: kind, actions: resolver.actions(scene.content.actions) ?? [])
            if kind.isBuiltIn {
                if let other = kinds[kind] {
                    resolver.diagnostics.report(scene.name.location, .sceneKindTaken(other, at: place))
                    continue
                }
                kinds[kind] = name
            }
            let sameKind = kind.isBuiltIn ? indicesByKind[kind] : nil
            guard let index = sameKind ?? indicesByName[name.key] else {
                scenes.append(HomeScene(id: newID(), name: name, content: content))
                continue
            }
            guard before[index].kind == kind || !before[index].kind.isBuiltIn else {
                var error = HomeError.builtInSceneFixed(at: place)
                error.reason = "\(name) is the home's scene of the kind \(before[index].kind.rawValue)."
                error.remedy = "Write \"kind: \(before[index].kind.rawValue)\" in it, or choose another name."
                resolver.diagnostics.report(scene.name.location, error)
                continue
            }
            scenes[index] = HomeScene(id: before[index].id, name: name, content: content)
        }
    }

    /// - Parameter known: The automations before the merge.
    mutating func mergeAutomations(
        _ described: [Named<AutomationRule<HomeNames>>],
        known: ObjectNames<Automation>,
        _ resolver: inout IDResolver
    ) {
        var keys: Set<String> = []
        let names = ObjectNames(automations)
        let rules = AutomationRuleChecker(self)
        for described in described where resolver.diagnostics.isFirst(described.name, "automation", among: &keys) {
            let name = described.name.value
            let index = names.index(of: name)
            let (waiting, wrong) = (resolver.diagnostics.pending.count, resolver.diagnostics.errors.count)
            resolver.owner = name
            guard let rule = described.content.resolved(by: &resolver), resolver.diagnostics.errors.count == wrong,
                resolver.diagnostics.pending.count == waiting
            else { continue }
            // An automation that was removed with its actions, but is still in the file, keeps its id.
            let id = index.map { automations[$0].id } ?? known.id(key: name.key)
            let violations = rules.violations(of: Automation(id: id ?? ObjectID(0), name: name, rule: rule))
            for violation in violations {
                resolver.diagnostics.report(described.name.location, violation)
            }
            guard violations.isEmpty else { continue }
            if let index {
                automations[index].name = name
                automations[index].rule = rule
            } else {
                automations.append(Automation(id: id ?? newID(), name: name, rule: rule))
            }
        }
    }
}

extension Home {
    /// Removes objects that a file does not contain, and returns the effects.
    ///
    /// - Parameter stored: The accessories that are in the file.
    mutating func removeUnlisted(
        comparedTo document: HomeDescription,
        keeping stored: Set<ObjectID<HomeAccessory>>
    ) -> [EditEffect] {
        let described = Set(document.rooms.map(\.value.key))
        var consequences = removeRooms(Set(rooms.lazy.filter { !described.contains($0.name.key) }.map(\.id)))
        removeUnlisted(from: \.zones, except: document.zones.map(\.name))
        // A bridge is only removed together with the accessories behind it.
        let keptBridges = Set(accessories.lazy.filter { stored.contains($0.id) }.compactMap(\.bridge))
        let unlisted = accessories.lazy.filter { $0.bridge == nil && !stored.contains($0.id) }.map(\.id)
        let removed = removeAccessories(Set(unlisted).subtracting(keptBridges))
        consequences += removed.filter { $0.bridge != nil }.map { .accessoryRemoved($0.name) }
        let names = removed.lazy.flatMap(\.services).keyed(by: \.id, \.name)
        removeUnlisted(from: \.serviceGroups, except: document.groups.map(\.name))
        removeUnlisted(from: \.automations, except: document.automations.map(\.name))
        let kinds = Set(scenes.map(\.kind))
        // A scene of a built-in kind in the file matches the home's scene of that kind, and no other scene with the
        // same name.
        let keptScenes = Set(
            document.scenes.lazy.filter { !$0.content.kind.isBuiltIn || !kinds.contains($0.content.kind) }
                .map(\.name.value.key)
        )
        let isUnlisted = { (scene: HomeScene) in !keptScenes.contains(scene.name.key) && !scene.kind.isBuiltIn }
        var gone = RemovedObjects(services: Set(names.keys))
        gone.scenes = Set(scenes.lazy.filter(isUnlisted).map(\.id))
        scenes.removeAll(where: isUnlisted)
        gone.users = Set(removeUnlisted(from: \.users, except: document.users.map(\.name)))
        // All references at once, because each search takes as long as the home is large.
        return consequences + removeReferences(to: gone, names: names)
    }

    /// Removes the objects whose names are not in the file, and returns their ids.
    @discardableResult private mutating func removeUnlisted<Thing: HomeObject>(
        from things: WritableKeyPath<Home, [Thing]>,
        except names: [Located<ObjectName>]
    ) -> [ObjectID<Thing>] {
        let keys = Set(names.map(\.value.key))
        let gone = self[keyPath: things].filter { !keys.contains($0.name.key) }.map(\.id)
        self[keyPath: things].removeAll { !keys.contains($0.name.key) }
        return gone
    }
}
