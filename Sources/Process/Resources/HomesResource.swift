package import Documents
package import HomeModel

/// What `hap home show` shows: homes, or the objects that a name refers to.
package struct HomesResource: Sendable {
    private var homes: [HomeResource]?
    private var objects: [ObjectDescription]?

    package init(_ homes: [HomeResource]) {
        self.homes = homes
    }

    package init(_ objects: [ObjectDescription]) {
        self.objects = objects
    }

    package static let format = Format<HomesResource>(
        response: "Homes",
        .written("homes", \.homes, .list(of: HomeResource.format), "The homes."),
        .written("objects", \.objects, .list(of: object), "The objects that have the name, if one is given.")
    )

    private static let object = Format<ObjectDescription>(
        response: "ObjectDescription",
        .written("kind", \.kind, .string, "The kind of object, such as scene."),
        .written("name", \.name, .string, "The name."),
        .written("details", \.lines, .list(of: .string), "What it consists of, in words.")
    )
}
