import Foundation
import HTTPTypes
import Testing

@testable import WebConsole

struct PageFileTests {
    private static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Sources/Process/CPageFiles/page")

    @Test func programContainsEveryFileOfThePage() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        #expect(names.sorted() == PageFile.all.keys.sorted())
        for name in names {
            let content = try Data(contentsOf: Self.folder.appending(path: name))
            #expect(PageFile.all[name]?.bytes == Array(content), "\(name): build again")
        }
    }

    @Test func compressedPageWeighsLessThan100KB() throws {
        let sizes = try PageFile.all.values.map { try #require($0.compressed).count }
        #expect(sizes.reduce(0, +) < 100_000)
    }

    @Test(
        arguments: [
            (nil, false), ("gzip", true), ("deflate, GZIP;q=0.5, br", true), ("gzip;q=0", false),
            ("gzip; q=0.000", false),
            ("br", false), ("gzip-2", false), ("", false),
        ] as [(String?, Bool)]
    )
    func fileIsCompressedForAClientThatAcceptsIt(accepted: String?, isCompressed: Bool) throws {
        let file = try #require(PageFile.all["page.css"])
        var request: HTTPFields = [:]
        request[.acceptEncoding] = accepted
        let response = file.response(to: request)
        #expect(response.headers[.contentEncoding] == (isCompressed ? "gzip" : nil))
        guard case .bytes(let bytes) = response.content else { return #expect(Bool(false), "no bytes") }
        #expect(bytes.starts(with: [0x1F, 0x8B]) == isCompressed)
        #expect((bytes == file.bytes) != isCompressed)
        #expect(!isCompressed || bytes.count < file.bytes.count / 2)
    }

    @Test func onlyThePageItselfHasAContentSecurityPolicyAndItAllowsNoMarkup() throws {
        for (name, file) in PageFile.all {
            let policy = file.response(to: [:]).headers[.contentSecurityPolicy]
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
