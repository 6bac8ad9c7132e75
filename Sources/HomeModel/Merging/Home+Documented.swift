/// What parts of automations mean in a home when they name services, scenes and users as a file does.
extension Home {
    /// What an automation of this name waits for.
    ///
    /// - Throws: ``HomeError``: it names what is not in the home, or a value that the characteristic does not have.
    package func trigger(
        _ documented: DocumentedTrigger,
        of automation: ObjectName
    ) throws(HomeError) -> Trigger {
        try meaning { merger in merger.trigger(documented, at: automation) }
    }

    /// What must be so for an automation of this name: all of these; `nil` of none.
    ///
    /// - Throws: ``HomeError``: one names what is not in the home, or a value that the characteristic does not have.
    package func condition(
        _ documented: [DocumentedCondition],
        of automation: ObjectName
    ) throws(HomeError) -> Condition? {
        guard let first = documented.first else { return nil }
        let whole = documented.count == 1 ? first : .all(documented)
        return try meaning { merger in merger.condition(whole, at: automation) }
    }

    /// When what an automation of this name has begun ends.
    ///
    /// - Throws: ``HomeError``: it names what is not in the home, or a value that the characteristic does not have.
    package func end(_ documented: DocumentedEnd, of automation: ObjectName) throws(HomeError) -> EndEvent {
        try meaning { merger in merger.end(documented, at: automation) }
    }

    private func meaning<Meaning>(_ find: (inout HomeMerger) -> Meaning?) throws(HomeError) -> Meaning {
        var merger = HomeMerger(
            self,
            with: DocumentedHome(name: Placed(name)),
            known: KnownAccessories([]),
            isWhole: false
        )
        merger.directory = MergeDirectory(self)
        let found = find(&merger)
        // What waits for an accessory that is missing cannot wait on a command line.
        if let finding = merger.errors.findings.first ?? merger.pending.findings.first { throw finding.error }
        guard let found else { throw .unknown("part", "of an automation", at: name.text) }
        return found
    }
}
