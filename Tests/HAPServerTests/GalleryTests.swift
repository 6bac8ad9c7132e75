import AccessoryFiles
import AccessoryModel
import HAPCore
import HAPServer
import TestSupport
import Testing

/// Every definition in the folder Accessories is served as declared.
@Suite struct GalleryTests {
    @Test(arguments: GalleryFile.all)
    func galleryFileReadsBackAsDeclared(file: GalleryFile) async throws {
        let document = try AccessoryFile.read(file.bytes, name: file.path, include: GalleryFile.includedFile).document
        var configuration = ServerConfiguration.testing.with(\.name, document.name).with(\.category, document.category)
        // With a paused clock, countdowns do not start, no matter how long the reads take.
        configuration.behaviorClock.pause(at: .zero)
        try await TestServer.run(document.makeAccessories(isSimulated: true), configuration: configuration) { server in
            let controller = try await server.session()
            let response = try await controller.request(HTTPRequest(.get, .accessories))
            #expect(response.status == 200)
            let served = try #require(JSONValue(parsing: response.body).object?["accessories"]?.array)
            #expect(served.map { $0.object?["aid"]?.unsigned } == document.accessories.indices.map { UInt64($0) + 1 })
            for (accessory, declared) in zip(served, document.accessories) {
                try expect(accessory, equals: declared)
            }
            try await expectReads(of: document, from: server, by: controller)
        }
    }

    private func expect(_ accessory: JSONValue, equals declared: FileAccessory) throws {
        let services = try #require(accessory.object?["services"]?.array).compactMap(\.object)
        #expect(services.map { $0["type"]?.string } == declared.services.map(\.key.type.uuid.shortened))
        let iids = Dictionary(uniqueKeysWithValues: zip(declared.services.map(\.key), services.map { $0["iid"] }))
        for (service, declared) in zip(services, declared.services) {
            #expect(service["primary"]?.hapBool == declared.isPrimary)
            #expect(service["hidden"]?.hapBool == declared.isHidden)
            #expect(service["linked"]?.array == declared.linked.map { iids[$0] ?? nil })
            let characteristics = try #require(service["characteristics"]?.array).compactMap(\.object)
            #expect(
                characteristics.map { $0["type"]?.string } == declared.characteristics.map(\.type.uuid.shortened)
            )
            for (characteristic, declared) in zip(characteristics, declared.characteristics) {
                expect(characteristic, equals: declared)
            }
        }
    }

    private func expect(_ characteristic: JSONObject, equals declared: Characteristic) {
        let metadata = declared.metadata
        let isReadable = declared.permissions.contains(.read)
        let whole = metadata.format.integerRange
        #expect(characteristic["perms"]?.array?.map(\.string) == declared.permissions.names)
        #expect(characteristic["format"]?.string == metadata.format.rawValue)
        #expect(characteristic["unit"]?.string == metadata.unit?.rawValue)
        #expect(characteristic["minValue"]?.number ?? whole?.lowerBound == metadata.minimum ?? whole?.lowerBound)
        #expect(characteristic["maxValue"]?.number ?? whole?.upperBound == metadata.maximum ?? whole?.upperBound)
        #expect(characteristic["minStep"]?.number == metadata.step)
        let isData = metadata.format == .data || metadata.format == .tlv8
        #expect(
            characteristic["maxLen"]?.number?.integer() == (metadata.format == .string ? metadata.maximumLength : nil)
        )
        #expect(characteristic["maxDataLen"]?.number?.integer() == (isData ? metadata.maximumDataLength : nil))
        // The full set of an Apple-defined enumeration is not sent.
        let cataloged = Catalog.characteristic(declared.type)?.metadata.validValues
        let validValues = metadata.validValues == cataloged ? [] : metadata.validValues
        #expect(characteristic["valid-values"]?.array?.map(\.number) ?? [] == validValues)
        #expect(characteristic["description"]?.string == declared.description)
        #expect(characteristic["value"] == (isReadable ? declared.value.json(of: metadata.format) : nil))
    }

    /// Expects that every readable characteristic has its declared value.
    private func expectReads(
        of document: AccessoryDocument,
        from server: TestServer,
        by controller: TestController
    ) async throws {
        let known = await server.server.characteristicIDs()
        var ids: [CharacteristicID] = []
        var expected: [CharacteristicID: JSONValue] = [:]
        for accessory in document.accessories {
            for service in accessory.services {
                for characteristic in service.characteristics where characteristic.permissions.contains(.read) {
                    let reference = CharacteristicKey(
                        accessory: accessory.key,
                        service: service.key,
                        type: characteristic.type
                    )
                    let id = try #require(await server.server.id(of: reference))
                    #expect(known[reference] == id)
                    ids.append(id)
                    expected[id] = characteristic.value.json(of: characteristic.metadata.format)
                }
            }
        }
        let response = try await controller.get(ids)
        #expect(response.status == 200)
        #expect(response.values == expected)
    }
}

extension CharacteristicValue? {
    /// Returns the value in the form in which it is sent.
    fileprivate func json(of format: CharacteristicFormat) -> JSONValue {
        switch self {
        case .bool(let value): value ? 1 : 0
        case .number(let number): .number(number)
        case .string(let text): .string(text)
        case .data(let bytes): .string(Base64.encode(bytes))
        case nil: format == .tlv8 ? "" : .null
        }
    }
}
