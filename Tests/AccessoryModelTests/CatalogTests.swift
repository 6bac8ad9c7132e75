import AccessoryModel
import HAPCore
import Testing

/// Tests the whole content of the catalog, and searches in it.
@Suite struct CatalogTests {
    @Test func catalogHasEveryType() {
        #expect(Catalog.characteristics.count == 248)
        #expect(Catalog.services.count == 72)
    }

    @Test func catalogIsOrderedByID() {
        #expect(Catalog.characteristics.map(\.id) == Catalog.characteristics.map(\.id).sorted())
        #expect(Catalog.services.map(\.id) == Catalog.services.map(\.id).sorted())
    }

    @Test func typesAndIDsAreUnique() {
        #expect(Set(Catalog.characteristics.map(\.type)).count == 248)
        #expect(Set(Catalog.characteristics.map(\.id)).count == 248)
        #expect(Set(Catalog.services.map(\.type)).count == 72)
        #expect(Set(Catalog.services.map(\.id)).count == 72)
    }

    @Test func onlyTheKitVersionHasATypeOutsideApplesBase() {
        let foreign = Catalog.characteristics.filter { $0.type.uuid.apple == nil }
        #expect(foreign.map(\.id) == ["ADKVersion"])
        #expect(CharacteristicType.adkVersion.uuid.description == "34AB8811-AC7F-4340-BAC3-FD6A85F9943B")
        #expect(Catalog.services.allSatisfy { $0.type.uuid.apple != nil })
    }

    @Test func everyCharacteristicOfAServiceIsInTheCatalogOnce() {
        for service in Catalog.services {
            let all = service.required + service.optional
            #expect(all.allSatisfy { Catalog.characteristic($0) != nil }, "\(service.id)")
            #expect(Set(all).count == all.count, "\(service.id)")
        }
        #expect(Catalog.services.map(\.required.count).reduce(0, +) == 170)
        #expect(Catalog.services.map(\.optional.count).reduce(0, +) == 238)
    }

    @Test func lookupByTypeFindsEveryType() {
        for definition in Catalog.characteristics {
            #expect(Catalog.characteristic(definition.type) == definition)
        }
        for definition in Catalog.services {
            #expect(Catalog.service(definition.type) == definition)
        }
    }

    @Test func lookupByIDFindsEveryType() {
        for definition in Catalog.characteristics {
            #expect(Catalog.characteristic(named: definition.id) == definition)
        }
        for definition in Catalog.services {
            #expect(Catalog.service(named: definition.id) == definition)
        }
    }

    @Test func everyAliasAndNameIsKnown() {
        for definition in Catalog.characteristics {
            for name in definition.aliases + [definition.name] {
                #expect(Catalog.characteristic(named: name) == definition, "\(name)")
            }
        }
        for definition in Catalog.services {
            for name in definition.aliases + [definition.name] {
                let found = Catalog.service(named: name)
                // Apple also calls the second fan «Fan»; the id of the first one has precedence.
                #expect(found?.type == (name == "Fan" ? .fan : definition.type), "\(name)")
            }
        }
    }

    @Test(
        arguments: [
            ("CurrentDoorState", 0x0E), ("currentDoorState", 0x0E), ("current door state", 0x0E),
            ("CURRENT-DOOR_STATE", 0x0E),
            ("On", 0x25), ("on", 0x25), ("PM2.5 Density", 0xC6), ("pm2_5density", 0xC6), ("pm25Density", 0xC6),
            ("Pairing Pairings", 0x50), ("ListPairings", 0x50), ("Wi-Fi Capabilities", 0x22C),
            ("wificapabilities", 0x22C),
        ] as [(String, UInt32)]
    )
    func characteristicNameMayBeSpelledInManyWays(name: String, short: UInt32) {
        #expect(Catalog.characteristic(named: name)?.type == CharacteristicType(apple: short))
    }

    @Test(
        arguments: [
            ("Garage Door Opener", 0x41), ("garageDoorOpener", 0x41), ("Lightbulb", 0x43), ("Light Bulb", 0x43),
            ("Fan", 0x40),
            ("fanv2", 0xB7), ("Battery Service", 0x96), ("TelevisionSpeaker", 0x113), ("switch", 0x49),
        ] as [(String, UInt32)]
    )
    func serviceNameMayBeSpelledInManyWays(name: String, short: UInt32) {
        #expect(Catalog.service(named: name)?.type == ServiceType(apple: short))
    }

    @Test(arguments: [
        "", " ", "-", "Fade Rate", "CurrentDoorStates", "E", "0000000E-0000-1000-8000-0026BB765291", "ön", "Ｏn",
    ])
    func anUnknownNameIsNil(name: String) {
        #expect(Catalog.characteristic(named: name) == nil)
        #expect(Catalog.service(named: name) == nil)
    }

    @Test func vendorTypeIsNil() throws {
        let fadeRate = try #require(HAPUUID("7E536242-341C-4862-BE90-272CE15BD633"))
        #expect(Catalog.characteristic(CharacteristicType(fadeRate)) == nil)
        #expect(Catalog.service(ServiceType(fadeRate)) == nil)
        #expect(CharacteristicType(fadeRate).description == "7E536242-341C-4862-BE90-272CE15BD633")
    }

    @Test func typeDescriptionIsItsName() {
        #expect(CharacteristicType.currentDoorState.description == "Current Door State")
        #expect(ServiceType.garageDoorOpener.description == "Garage Door Opener")
    }
}
