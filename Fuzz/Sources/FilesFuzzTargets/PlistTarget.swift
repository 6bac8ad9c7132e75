import Documents
import FuzzHarness
import PropertyLists

/// Property lists, binary and XML: a list that was read is within the limits, and is the same after writing and
/// reading.
enum PlistTarget: FuzzTarget {
    static let name = "plist"

    static var seeds: [String: [UInt8]] {
        let leaves: [PropertyList] = [
            true, false, 0, 255, 256, 65_536, -1, .unsigned(.max), .real(0.5), .date(1), "text", "€", .data([1, 2]),
            .uid(1),
            .uid(70_000), [], [:],
        ]
        let everything: PropertyList = ["leaves": .array(leaves), "deep": [["a": [[["b": "text"]]]]]]
        let markup = """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0"><!-- c --><dict><key>a</key><array><true/><false/><integer>-1</integer><real>0.5</real>
            <string>&lt;&#233;<![CDATA[<]]></string><data>AQ==</data><date>2001-01-01T00:00:00Z</date></array>
            <key>b</key><dict><key>CF$UID</key><integer>1</integer></dict></dict></plist>
            """
        return [
            "everything": BinaryPropertyListWriter.write(everything),
            "wide": BinaryPropertyListWriter.write(.array((0..<300).map { .unsigned($0) })),
            "single-precision": Array("bplist00".utf8) + [0x22, 0x3F, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 1, 1]
                + [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 13],
            "itself": Array("bplist00".utf8) + [0xA1, 0, 8, 0, 0, 0, 0, 0, 0, 1, 1]
                + [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 10],
            "markup": Array(markup.utf8),
            "entities": Array("<!DOCTYPE plist [<!ENTITY a \"b\">]><plist><string>&a;</string></plist>".utf8),
            "chain": chain(of: 200),
            "chain-at-the-limit": chain(of: 64),
            "nested": Array(String(repeating: "<array>", count: 70).utf8),
        ]
    }

    /// Returns a binary property list with nested arrays of one element each.
    private static func chain(of count: UInt8) -> [UInt8] {
        var bytes = Array("bplist00".utf8)
        var offsets: [UInt8] = []
        for number in 1...count {
            offsets += [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)]
            bytes += number == count ? [0xA0] : [0xA1, number]
        }
        let end: [UInt8] = [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)]
        bytes += offsets + [0, 0, 0, 0, 0, 0, 2, 1, 0, 0, 0, 0, 0, 0, 0, count]
        return bytes + [UInt8](repeating: 0, count: 14) + end
    }

    static func run(_ input: [UInt8]) {
        let list: PropertyList
        switch outcome({ () throws(DocumentError) in try PropertyListReader.read(input, name: "f") }) {
        case .success(let read): list = read
        case .failure(let error):
            claim(error.diagnostics.count == 1 && error.diagnostics[0].severity == .error, "a refusal has one reason")
            return
        }
        claim(PropertyListReader.recognizes(input) || !input.starts(with: "bplist".utf8), "what is read is recognized")
        var remaining = PropertyListLimits.file.maximumValues
        claim(
            depth(of: list, remaining: &remaining) <= PropertyListLimits.file.maximumDepth,
            "nothing is nested too deep"
        )
        claim(remaining >= 0, "there are not too many values")
        // A small file can contain a list that takes many bytes when written, because objects can be shared.
        guard remaining > PropertyListLimits.file.maximumValues - 100_000 else { return }
        let written = BinaryPropertyListWriter.write(list)
        guard let again = try? PropertyListReader.read(written, name: "f") else {
            fatalError("does not hold: what is written can be read")
        }
        // The lists are compared by their bytes, because NaN does not equal itself.
        claim(BinaryPropertyListWriter.write(again) == written, "a list is read as it is written")
    }

    private static func depth(of list: PropertyList, remaining: inout Int) -> Int {
        remaining -= 1
        var deepest = -1
        switch list {
        case .array(let elements):
            for element in elements { deepest = max(deepest, depth(of: element, remaining: &remaining)) }
        case .dictionary(let dictionary):
            remaining -= dictionary.entries.count
            for entry in dictionary.entries { deepest = max(deepest, depth(of: entry.value, remaining: &remaining)) }
            // A key counts towards the depth like a value.
            deepest = max(deepest, dictionary.entries.isEmpty ? -1 : 0)
        case .bool, .unsigned, .negative, .real, .date, .text, .data, .uid: return 0
        }
        return max(deepest, 0) + 1
    }
}
