import Documents
import PropertyLists
import Testing

/// Tests that property lists of any size are read as they were written.
@Suite
struct PropertyListTests {
    @Test(arguments: [
        0, 1, 0x7F, 0x80, 0xFF, 0x100, 0xFFFF, 0x1_0000, 0xFFFF_FFFF, 0x1_0000_0000, UInt64(Int64.max),
        UInt64(Int64.max) + 1, .max,
    ])
    func integersKeepTheirValue(_ value: UInt64) throws {
        try expectRoundTrip(.unsigned(value))
        let xml = "<plist version=\"1.0\"><integer>\(value)</integer></plist>"
        #expect(try PropertyListReader.read(Array(xml.utf8), name: "f") == .unsigned(value))
    }

    @Test(arguments: [-1, -128, -129, -32_769, .min])
    func negativeIntegersKeepTheirValue(_ value: Int64) throws {
        try expectRoundTrip(.negative(value))
        let xml = "<plist><integer>\(value)</integer></plist>"
        #expect(try PropertyListReader.read(Array(xml.utf8), name: "f") == .negative(value))
    }

    @Test(arguments: [0, 1, 14, 15, 16, 254, 255, 256, 1023, 1024, 1025, 65_535, 65_536])
    func everyLengthIsWrittenInFull(_ count: Int) throws {
        try expectRoundTrip(.data([UInt8](repeating: 7, count: count)))
        try expectRoundTrip(.text(String(repeating: "a", count: count)))
        try expectRoundTrip(.text(String(repeating: "é", count: count)))
        try expectRoundTrip(.array((0..<count).map { .unsigned(UInt64($0)) }))
        var dictionary = PropertyListDictionary()
        for number in 0..<count {
            dictionary.append(.bool(true), forKey: String(number))
        }
        try expectRoundTrip(.dictionary(dictionary))
    }

    @Test(arguments: [0, 1, 0xFF, 0x100, 0xFFFF, 0x1_0000, .max])
    func numbersOfObjectsKeepTheirValue(_ number: UInt32) throws {
        try expectRoundTrip(.uid(number))
        let xml = "<dict><key>CF$UID</key><integer>\(number)</integer></dict>"
        #expect(try PropertyListReader.read(Array(xml.utf8), name: "f") == .uid(number))
        // Other programs convert a reference in XML to this dictionary.
        let converted = BinaryPropertyListWriter.write(["CF$UID": .unsigned(UInt64(number))])
        #expect(try PropertyListReader.read(converted, name: "f") == .uid(number))
    }

    @Test
    func everyNestingOfKindsIsPreserved() throws {
        let leaves: [PropertyList] = [
            true, false, .real(0.5), .real(.infinity), .date(-1.5), "", "€😀", .data([]), .uid(1), [], [:],
        ]
        try expectRoundTrip(["a": .array(leaves), "b": ["c": .array(leaves), "d": ["e": [[]]]]])
    }

    @Test
    func dictionaryKeepsItsOrderAndTheFirstOfEqualKeys() throws {
        var dictionary = PropertyListDictionary()
        let keys = (0..<40).map { String(($0 * 7) % 40) }
        #expect(keys.allSatisfy { dictionary.append(.text($0), forKey: $0) })
        #expect(keys.allSatisfy { !dictionary.append(true, forKey: $0) })
        #expect(dictionary.entries.map(\.key) == keys)
        #expect(keys.allSatisfy { dictionary[$0] == .text($0) } && dictionary["40"] == nil)
    }

    @Test(arguments: [3, 40])
    func valuesAreReplacedInPlaceAndRemoved(_ count: Int) {
        let keys = (0..<count).map(String.init)
        var dictionary = PropertyListDictionary(keys.map { ($0, .text($0)) })
        dictionary["1"] = false
        #expect(dictionary.entries.map(\.key) == keys && dictionary["1"] == false)
        dictionary["1"] = nil
        dictionary["absent"] = nil
        #expect(dictionary.entries.map(\.key) == keys.filter { $0 != "1" } && dictionary["1"] == nil)
        dictionary["1"] = true
        #expect(dictionary.entries.last?.key == "1" && dictionary["1"] == true)
        #expect(keys.dropFirst(2).allSatisfy { dictionary[$0] == .text($0) } && dictionary["0"] == "0")
    }

    @Test
    func contentIsFoundByItsKind() {
        let list: PropertyList = [
            "bool": true, "integer": -5, "huge": .unsigned(.max), "real": .real(0.5), "date": .date(7), "text": "a",
            "data": .data([1]), "uid": .uid(3), "array": [1],
        ]
        #expect(list["bool"]?.bool == true && list["text"]?.bool == nil)
        #expect(list["integer"]?.integer == -5 && list["huge"]?.integer == nil && list["real"]?.integer == nil)
        #expect(list["integer"]?.number == -5 && list["real"]?.number == 0.5 && list["text"]?.number == nil)
        #expect(list["date"]?.date == 7 && list["real"]?.date == nil)
        #expect(list["text"]?.text == "a" && list["data"]?.text == nil)
        #expect(list["data"]?.data == [1] && list["array"]?.data == nil)
        #expect(list["uid"]?.uid == 3 && list["integer"]?.uid == nil)
        #expect(list["array"]?.array == [1] && list.array == nil)
        #expect(list.dictionary?.entries.count == 9 && list["text"]?.dictionary == nil)
        #expect(list["absent"] == nil && list["text"]?["absent"] == nil)
    }

    @Test
    func limitsOfTheCallerApply() throws {
        let limits = PropertyListLimits(maximumDepth: 2, maximumValues: 4)
        for (text, isAllowed) in [
            ("<array><array><true/></array><true/></array>", true),
            ("<array><array><array/></array></array>", false),
            ("<array><true/><true/><true/></array>", true),
            ("<array><true/><true/><true/><true/></array>", false),
            ("<dict><key>a</key><dict/></dict>", true),
            ("<dict><key>a</key><array><true/><true/></array></dict>", false),
        ] {
            let list = try PropertyListReader.read(Array(text.utf8), name: "f")
            for bytes in [Array(text.utf8), BinaryPropertyListWriter.write(list)] {
                let result = Result { try PropertyListReader.read(bytes, name: "f", limits: limits) }
                #expect((try? result.get()) == (isAllowed ? list : nil), "\(text)")
            }
        }
    }

    @Test
    func equalScalarsAreOneObject() {
        let once = BinaryPropertyListWriter.write(["a text of some length"])
        let twice = BinaryPropertyListWriter.write(["a text of some length", "a text of some length"])
        #expect(twice.count == once.count + 1)
    }

    @Test
    func canonicallyEquivalentTextsKeepTheirBytes() throws {
        let texts = ["\u{E9}", "e\u{301}"]
        let written = BinaryPropertyListWriter.write(.array(texts.map(PropertyList.text)))
        let read = try #require(try PropertyListReader.read(written, name: "f").array)
        #expect(read.compactMap(\.text).map { Array($0.utf8) } == texts.map { Array($0.utf8) })
    }

    @Test
    func nestingIsLimited() throws {
        let depth = PropertyListLimits.file.maximumDepth
        let deepest = (1..<depth).reduce(PropertyList.array([])) { list, _ in .array([list]) }
        try expectRoundTrip(deepest)
        #expect(throws: DocumentError.self) {
            try PropertyListReader.read(BinaryPropertyListWriter.write([deepest]), name: "f")
        }
        let text = { (depth: Int) in
            String(repeating: "<array>", count: depth) + String(repeating: "</array>", count: depth)
        }
        #expect(try PropertyListReader.read(Array(text(depth).utf8), name: "f") == deepest)
        #expect(throws: DocumentError.self) {
            try PropertyListReader.read(Array(text(depth + 1).utf8), name: "f")
        }
        #expect(throws: DocumentError.self) {
            try PropertyListReader.read(Array(String(repeating: "<array>", count: 1 << 19).utf8), name: "f")
        }
    }

    @Test
    func bothFormatsAreRecognizedByTheirFirstBytes() {
        #expect(PropertyListReader.recognizes(Array("bplist00".utf8)))
        #expect(PropertyListReader.recognizes(Array("\u{FEFF} \n<?xml".utf8)))
        #expect(PropertyListReader.recognizes(Array("<plist/>".utf8)))
        for text in ["", "bplis", "accessory: Lamp", "{}", "[]", " ", "\u{FEFF}"] {
            #expect(!PropertyListReader.recognizes(Array(text.utf8)))
        }
    }

    private func expectRoundTrip(_ list: PropertyList) throws {
        let written = BinaryPropertyListWriter.write(list)
        #expect(try PropertyListReader.read(written, name: "f") == list)
    }
}
