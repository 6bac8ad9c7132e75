import Foundation
import Testing
import WebConsole

@testable import hap

/// The link to the page, as it is printed.
struct ConsoleLinkTests {
    @Test func linkWithTheTokenIsOnlyForATerminal() throws {
        let token = try #require(AccessToken(String(repeating: "a1", count: 32)))
        let link = ConsoleLink(authority: "[::1]:8181", token: token, tokenFile: TokenFile(in: "/var/lib/hap"))
        #expect(link.text(isTerminal: true) == "http://[::1]:8181/#token=\(token.secret)")
        #expect(link.text(isTerminal: false) == "http://[::1]:8181/ (the token is in /var/lib/hap/console.token)")
    }

    @Test func relativeStateFolderIsNamedByItsAbsolutePath() throws {
        let folder = FileManager.default.currentDirectoryPath
        #expect(try StateLocation("./state").path == "\(folder)/state")
    }
}
