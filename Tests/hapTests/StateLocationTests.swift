import Hosting
import Testing

@testable import hap

@Suite struct StateLocationTests {
    @Test(
        arguments: [
            ("/given", ["XDG_STATE_HOME": "/x", "HOME": "/h"], "/given"),
            (nil, ["XDG_STATE_HOME": "/x", "HOME": "/h"], "/x/hap"), (nil, ["HOME": "/h"], "/h/.local/state/hap"),
            ("", ["HOME": "/h"], "/h/.local/state/hap"),
            (nil, ["XDG_STATE_HOME": "", "HOME": "/h"], "/h/.local/state/hap"),
            (nil, ["XDG_STATE_HOME": "not/absolute", "HOME": "/h"], "/h/.local/state/hap"),
        ] as [(String?, [String: String], String)]
    )
    func givenFolderOverridesTheUsersFolder(path: String?, environment: [String: String], folder: String) throws {
        #expect(try StateLocation(path, environment: environment).path == folder)
    }

    @Test(arguments: [[:], ["HOME": ""], ["HOME": "not/absolute"]])
    func missingHomeVariableRequiresAFolder(environment: [String: String]) {
        let failure = #expect(throws: CommandFailure.self) { try StateLocation(nil, environment: environment) }
        #expect(failure?.code == .usage)
        #expect(failure?.message.contains("--state") == true)
    }
}
