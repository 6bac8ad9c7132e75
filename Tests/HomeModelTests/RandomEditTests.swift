import AccessoryModel
import HAPCore
import HomeModel
import TestSupport
import Testing

/// Tests random edits, valid and invalid.
struct RandomEditTests {
    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func noEditBreaksARuleAndARefusedOneChangesNothing(seed: UInt64) throws {
        var editor = RandomEditor(seed: seed)
        var done = 0
        for step in 1...600 {
            let before = editor.homes
            do {
                try editor.edit()
                done += 1
            } catch {
                #expect(editor.homes == before, "step \(step): \(error)")
            }
            let violations = HomeRules.violations(in: editor.homes)
            #expect(violations.isEmpty, "step \(step): \(violations.first?.description ?? "")")
            guard violations.isEmpty else { return }
        }
        // The test is meaningful only if both cases occur often.
        #expect(done > 150 && done < 550, "\(done) of 600")
    }

    @Test
    func theSameSeedMakesTheSameHomes() {
        var one = RandomEditor(seed: 42)
        var other = RandomEditor(seed: 42)
        for _ in 0..<300 {
            try? one.edit()
            try? other.edit()
        }
        #expect(one.homes == other.homes)
        #expect(one.homes != Homes())
    }

    @Test
    func aFailedTransactionChangesNothing() throws {
        var editor = RandomEditor(seed: 7)
        for _ in 0..<200 {
            try? editor.edit()
        }
        let before = editor.homes
        #expect(throws: HomeError.self) {
            try editor.homes.transaction { homes throws(HomeError) in
                let id = try homes.addHome(named: ObjectName("Summer House"))
                try homes.edit(id) { home throws(HomeError) in _ = try home.addRoom(named: ObjectName("Porch")) }
                try homes.removeHome(ObjectID(before.primary?.rawValue ?? 1))
                try homes.renameHome(id, to: ObjectName("Porch!"))
            }
        }
        #expect(editor.homes == before)
    }
}
