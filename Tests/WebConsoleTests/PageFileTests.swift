import Foundation
import HTTPTypes
import Testing

@testable import WebConsole

struct PageFileTests {
    private static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Sources/CPageFiles/page")

    @Test func programContainsEveryFileOfThePage() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        #expect(names.sorted() == PageFile.all.keys.sorted())
        for name in names {
            let content = try Data(contentsOf: Self.folder.appending(path: name))
            #expect(PageFile.all[name]?.bytes == Array(content), "\(name): build again")
        }
    }

    @Test func pageWeighsLessThan200KB() {
        #expect(PageFile.all.values.reduce(0) { $0 + $1.bytes.count } < 200_000)
    }

    @Test func onlyThePageItselfHasAContentSecurityPolicyAndItAllowsNoMarkup() throws {
        for (name, file) in PageFile.all {
            let policy = file.response.headers[.contentSecurityPolicy]
            #expect((policy != nil) == (name == PageFile.index), "\(name)")
        }
        let policy = PageFile.contentSecurityPolicy
        #expect(policy.hasPrefix("default-src 'none'; script-src 'self'; style-src 'self';"))
        #expect(!policy.contains("unsafe"))
        let page = String(decoding: try #require(PageFile.all[PageFile.index]).bytes, as: UTF8.self)
        #expect(page.matches(of: #/<script(?![^>]*src=)|<style|style=|onload=|onclick=/#).isEmpty)
    }

    @Test func scriptsNeverTurnTextsIntoMarkup() {
        for (name, file) in PageFile.all where name.hasSuffix(".js") {
            let text = String(decoding: file.bytes, as: UTF8.self)
            let markup = #/innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|new Function/#
            #expect(text.firstMatch(of: markup) == nil, "\(name)")
        }
    }
}
