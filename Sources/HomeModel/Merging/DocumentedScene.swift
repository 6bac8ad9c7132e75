/// What a file says of a scene.
package struct DocumentedScene: Sendable, Hashable {
    /// What it is called.
    package var name: Placed<ObjectName>
    /// Which kind it is.
    package var kind: SceneKind
    /// What it sets.
    package var actions: [DocumentedAction]

    package init(name: Placed<ObjectName>, kind: SceneKind = .userDefined, actions: [DocumentedAction]) {
        self.name = name
        self.kind = kind
        self.actions = actions
    }
}

/// A characteristic that is to be set, and the value.
package struct DocumentedAction: Sendable, Hashable {
    /// Which one: `Service/Characteristic`, or `Accessory/Type/Characteristic`.
    package var characteristic: Placed<String>
    /// The value.
    package var value: Placed<DocumentedValue>

    package init(characteristic: Placed<String>, value: Placed<DocumentedValue>) {
        self.characteristic = characteristic
        self.value = value
    }
}
