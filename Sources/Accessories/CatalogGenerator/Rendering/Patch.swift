/// A change to the input that adds or corrects something that the protocol requires but the merged sources lack.
///
/// The input files are not changed. A patch that changes nothing is an error, so that no patch remains after its reason
/// is gone.
struct Patch: Hashable, Sendable {
    /// The change to a characteristic; its id is the last value.
    enum Change: Hashable, Sendable {
        /// Adds a permission.
        case addPermission(String, to: String)
        /// Replaces the minimum.
        case setMinimum(InputNumber, of: String)
        /// Replaces the values of an enumeration with the masks of a bit field.
        case replaceValuesByBits([String: InputNumber], of: String)
    }

    /// A short name for messages.
    var name: String
    /// The reason for the patch.
    var reason: String
    /// The change.
    var change: Change
}

extension CatalogInput {
    /// Returns the input with all patches applied in order.
    ///
    /// - Throws: ``CatalogError`` if a patch finds no entry or changes nothing.
    func applying(_ patches: [Patch]) throws -> CatalogInput {
        var patched = self
        for patch in patches {
            let before = patched
            try patched.apply(patch)
            guard patched != before else {
                throw CatalogError(.unusedPatch, "the input already has the change; delete the patch", at: patch.name)
            }
        }
        return patched
    }

    private mutating func apply(_ patch: Patch) throws {
        switch patch.change {
        case .addPermission(let permission, let id):
            let index = try index(of: id, for: patch)
            if !characteristics[index].permissions.contains(permission) {
                characteristics[index].permissions.append(permission)
            }
        case .setMinimum(let minimum, let id):
            characteristics[try index(of: id, for: patch)].minValue = minimum
        case .replaceValuesByBits(let bits, let id):
            let index = try index(of: id, for: patch)
            characteristics[index].validValues = nil
            characteristics[index].validBits = bits
        }
    }

    private func index(of id: String, for patch: Patch) throws -> Int {
        guard let index = characteristics.firstIndex(where: { $0.id == id }) else {
            throw CatalogError(.unresolved, "there is no characteristic \(id)", at: patch.name)
        }
        return index
    }
}

extension Patch {
    /// All patches for the committed catalog.
    static let catalog: [Patch] = [
        Patch(
            name: "Is Configured is writable",
            reason:
                "Controllers configure the inputs and valves of an accessory; the first source lists pr and ev only.",
            change: .addPermission("pw", to: "IsConfigured")
        ),
        Patch(
            name: "Active Identifier is writable",
            reason: "Controllers choose a television's input with it; the first source lists pr and ev only.",
            change: .addPermission("pw", to: "ActiveIdentifier")
        ),
        Patch(
            name: "Current Temperature reaches below freezing",
            reason: "Sensors stand outdoors; Apple Home accepts the wider range when it is announced.",
            change: .setMinimum(.integer(-270), of: "CurrentTemperature")
        ),
        Patch(
            name: "Pairing Features is a bit field",
            reason: "The input has both shifted masks of the first source, 1 << 0 and 1 << 1, as the one value 1.",
            change: .replaceValuesByBits(
                ["SupportsAppleAuthenticationCoprocessor": .integer(1), "SupportsSoftwareAuthentication": .integer(2)],
                of: "PairingFeatures"
            )
        ),
    ]
}
