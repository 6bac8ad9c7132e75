internal import HAPCore
internal import HomeModel

/// A person with access to a home.
open class HMUser: NSObject, HomeKitObject, @unchecked Sendable {
    let modelReference: ModelReference<HomeUser>?
    /// The home, if this is the implicit owner of a home without users.
    private let home: ObjectID<Home>

    init(_ modelReference: ModelReference<HomeUser>) {
        self.modelReference = modelReference
        home = modelReference.home
        super.init()
    }

    init(implicitOwnerOf home: ObjectID<Home>) {
        modelReference = nil
        self.home = home
        super.init()
    }

    var removableReference: (any RemovableReference)? { modelReference }

    /// The name; "Owner" in a home without users.
    open var name: String { modelReference?.model.name.text ?? "Owner" }

    /// The UUID, which does not change.
    open var uniqueIdentifier: UUID {
        UUID(modelReference.map { Home.uuid(of: $0.model.id, in: home) } ?? Home.uuid(ofImplicitOwnerOf: home))
    }
}

/// The rights of a user.
open class HMAccessControl: NSObject, @unchecked Sendable {}

/// The rights of a user in a home.
open class HMHomeAccessControl: HMAccessControl, @unchecked Sendable {
    private let user: HMUser

    init(_ user: HMUser) {
        self.user = user
        super.init()
    }

    /// Whether the user may change the home.
    open var isAdministrator: Bool { user.modelReference.map { $0.model.role != .member } ?? true }
}
