import Foundation
import HAPCore
import HTTPTypes
import TestSupport
import Testing

@testable import WebConsole

struct AccessControlTests {
    private let token: AccessToken
    private let access: AccessControl

    init() throws {
        token = try #require(AccessToken(String(repeating: "0123456789abcdef", count: 4)))
        access = AccessControl(token, port: 8_181)
    }

    private func request(_ fields: [(String, String)], host: String = "127.0.0.1:8181") throws -> WebRequest {
        var request = WebRequest(method: .get, scheme: "http", authority: host, path: "/")
        for (name, value) in fields {
            request.headerFields.append(HTTPField(name: try #require(.init(name)), value: value))
        }
        return request
    }

    @Test(arguments: [
        "localhost", "LOCALHOST:8181", "127.0.0.1", "127.0.0.1:8181", "192.168.1.5:80", "[::1]", "[::1]:8181",
        "[fe80::1]:1",
    ])
    func addressesOfThisMachineAreHosts(host: String) throws {
        try AccessControl.checkSource(request([], host: host))
    }

    @Test(arguments: [
        "", "evil.example", "evil.example:8181", "127.0.0.1.evil.example", "localhost.evil.example", "127.0.0.1:x",
        "1.2.3", "1.2.3.256", "[::1", "[::1]evil", "[::1]:x", "[evil]", "[]", "user@127.0.0.1", "127.0.0.1:8181:1",
    ])
    func namesAreRefusedAsHosts(host: String) throws {
        #expect { try AccessControl.checkSource(request([], host: host)) } throws: {
            ($0 as? Problem)?.status == .misdirectedRequest
        }
    }

    @Test(arguments: [
        ("Origin", "http://evil.example"), ("Origin", "null"), ("Origin", "https://127.0.0.1:8181"),
        ("Origin", "http://127.0.0.1:8182"), ("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Site", "same-site"),
    ])
    func pagesOfOtherSitesAreRefused(name: String, value: String) throws {
        #expect { try AccessControl.checkSource(request([(name, value)])) } throws: {
            ($0 as? Problem)?.status == .forbidden
        }
    }

    @Test(arguments: [
        ("Origin", "http://127.0.0.1:8181"), ("Sec-Fetch-Site", "same-origin"), ("Sec-Fetch-Site", "none"),
    ])
    func pageOfTheConsoleMaySendRequests(name: String, value: String) throws {
        try AccessControl.checkSource(request([(name, value)]))
    }

    @Test func tokenIsAcceptedInTheHeaderAndASessionInTheCookie() async throws {
        try access.checkToken(request([("Authorization", "Bearer \(token.secret)")]))
        try access.checkToken(request([("Authorization", "bearer \(token.secret)")]))
        let session = access.sessions.begin()
        let cookie = try request([("Cookie", "a=b; hap-8181=\(session)")])
        try access.checkToken(cookie)
        #expect(await access.sessions.end(session))
        #expect { try access.checkToken(cookie) } throws: { ($0 as? Problem)?.status == .unauthorized }
    }

    @Test(arguments: [
        [], [("Authorization", "Bearer")], [("Authorization", "Bearer 0123")],
        [("Authorization", "Basic 0123456789abcdef")],
        [("Authorization", "Bearer " + String(repeating: "0", count: 64))],
        [("Cookie", "hap-8181=" + String(repeating: "0123456789abcdef", count: 4))],
        [("Cookie", "hap-8181=")],
        [("Cookie", "hap-8182=0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef")],
    ])
    func requestsWithoutTheTokenAreRefused(fields: [(String, String)]) throws {
        #expect { try access.checkToken(request(fields)) } throws: { ($0 as? Problem)?.status == .unauthorized }
    }

    @Test func sessionStaysValidAfterARestartUntilItExpires() throws {
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        let session = BrowserSessions(of: token).begin(at: now)
        let restarted = BrowserSessions(of: token)
        #expect(restarted.contains(session, at: now))
        #expect(restarted.contains(session, at: now + Double(BrowserSessions.seconds - 1)))
        #expect(!restarted.contains(session, at: now + Double(BrowserSessions.seconds)))
    }

    @Test func eachOfSeveralCookiesOfTheSameNameIsTried() throws {
        let session = access.sessions.begin()
        for cookies in ["hap-8181=other; hap-8181=\(session)", "hap-8181=\(session); hap-8181=other"] {
            try access.checkToken(request([("Cookie", cookies)]))
        }
        try access.checkToken(request([("Cookie", "hap-8181=other"), ("Cookie", "hap-8181=\(session)")]))
    }

    @Test func endedSessionStaysEndedAfterARestartAndInAnotherProcess() async throws {
        let folder = try TemporaryFolder()
        let file = folder("sessions")
        let sessions = BrowserSessions(of: token, endedIn: file)
        let other = BrowserSessions(of: token, endedIn: file)
        let ids = (0..<3).map { _ in sessions.begin() }
        #expect(await sessions.end(ids[0]))
        #expect(await other.end(ids[1]))
        #expect(ids.map { BrowserSessions(of: token, endedIn: file).contains($0) } == [false, false, true])
        let stored = try String(contentsOfFile: file, encoding: .utf8)
        #expect(ids.allSatisfy { !stored.contains($0) }, "a stored session must not be valid as a cookie")
        let attributes = try FileManager.default.attributesOfItem(atPath: file)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        _ = try folder.write("damaged\nuntil x\n", to: "sessions")
        #expect(BrowserSessions(of: token, endedIn: file).contains(ids[0]))
        #expect(await !BrowserSessions(of: token, endedIn: folder("missing/sessions")).end(ids[2]))
    }

    @Test func noEndedSessionIsValidAgainWhenThereAreTooManyToRemember() async {
        let sessions = BrowserSessions(of: token)
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        let ids = (0...EndedSessions.maximum + 1).map { sessions.begin(at: now + Double($0)) }
        let later = now + Double(ids.count)
        for id in ids { #expect(await sessions.end(id, at: later)) }
        #expect(ids.allSatisfy { !sessions.contains($0, at: later) })
        #expect(sessions.contains(sessions.begin(at: later), at: later))
    }

    @Test func sessionIsValidOnlyWithTheTokenThatBeganIt() throws {
        var generator = SystemRandomNumberGenerator()
        let session = BrowserSessions(of: token).begin()
        #expect(!BrowserSessions(of: .random(using: &generator)).contains(session))
    }

    @Test func changedSessionIsRefused() {
        let sessions = BrowserSessions(of: token)
        let session = Array(sessions.begin())
        for position in session.indices {
            var changed = session
            changed[position] = changed[position] == "0" ? "1" : "0"
            #expect(!sessions.contains(String(changed)), "position \(position)")
        }
    }

    @Test func tokenIsNeverPrinted() {
        #expect("\(token)" == "(token)")
        #expect("\([token])" == "[(token)]")
    }

    @Test(arguments: ["", "0123", String(repeating: "G", count: 64), String(repeating: "A", count: 64)])
    func onlyTokensOf256BitsAreTokens(text: String) {
        #expect(AccessToken(text) == nil)
    }
}
