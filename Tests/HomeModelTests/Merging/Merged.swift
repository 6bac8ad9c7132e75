import AccessoryFiles
import Documents
import HomeModel

/// Returns the result of merging a home file with this text into homes.
func merged(
    _ text: String,
    into homes: Homes = Homes(),
    known: [KnownAccessory] = [],
    extent: HomeMerge.Scope = .partial
) throws -> HomeMerge {
    HomeMerge(try HomeFile.read(Array(text.utf8), name: "home.yaml"), into: homes, known: known, extent: extent)
}
