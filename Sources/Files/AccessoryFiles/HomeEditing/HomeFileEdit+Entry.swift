internal import Documents
internal import HomeModel

extension HomeFileEdit {
    /// An object in a section of a home file in which objects are listed by their names.
    struct Entry: Hashable {
        /// The key of the section, such as `scenes`.
        var section: String
        /// The name of the object.
        var name: String

        init(_ section: String, _ name: ObjectName) {
            self.section = section
            self.name = name.key
        }

        /// Creates the entry that contains a path in a file, such as `homes[1].scenes.Good Night[0].set`.
        init?(path: String) {
            var path = path[...]
            if path.hasPrefix("homes["), let end = path.firstIndex(of: ".") {
                path = path[path.index(after: end)...]
            }
            let parts = path.split(maxSplits: 2) { $0 == "." || $0 == "[" }
            guard parts.count > 1, ["zones", "groups", "scenes", "automations"].contains(parts[0]) else { return nil }
            section = String(parts[0])
            name = ObjectName.key(of: String(parts[1]))
        }

        /// Returns the parts that a merge leaves out of entries that differ between two homes, unless the entry is removed.
        static func leftOut(
            of merge: HomeMerge?,
            changedBetween old: Home,
            _ new: Home
        ) -> [Located<HomeError>] {
            guard let merge, !merge.pending.isEmpty else { return [] }
            let after = HomeDescription(new)
            let changed = differences(HomeDescription(old), after)
            let remaining = changed.intersection(differences(HomeDescription(Home(id: new.id, name: new.name)), after))
            return merge.pending.filter { part in
                Entry(path: part.location?.path ?? "").map(remaining.contains) ?? false
            }
        }

        /// Returns the entries that differ between two homes; their order and whether they are enabled do not count.
        static func differences(_ one: HomeDescription, _ other: HomeDescription) -> Set<Entry> {
            func compare<Content>(
                _ section: String,
                _ path: KeyPath<HomeDescription, [Named<Content>]>,
                _ normalized: (Content) -> Content = { $0 }
            ) -> [Entry] {
                func contents(_ home: HomeDescription) -> [String: Named<Content>] {
                    Dictionary(home[keyPath: path].map { ($0.name.value.text, $0) }) { first, _ in first }
                }
                let (left, right) = (contents(one), contents(other))
                return Set(left.keys).union(right.keys).sorted()
                    .filter { left[$0].map { normalized($0.content) } != right[$0].map { normalized($0.content) } }
                    .compactMap { (left[$0] ?? right[$0]).map { Entry(section, $0.name.value) } }
            }
            let automations = compare("automations", \.automations) { rule in
                var rule = rule
                rule.isEnabled = true
                return rule
            }
            return Set(
                compare("zones", \.zones) + compare("groups", \.groups) + compare("scenes", \.scenes) + automations
            )
        }
    }
}
