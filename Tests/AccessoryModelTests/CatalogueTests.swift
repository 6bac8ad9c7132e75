import AccessoryModel
import HAPCore
import Testing

/// What the catalogue holds as a whole, and how it is searched.
@Suite struct CatalogueTests {
    @Test func itHasEveryType() {
        #expect(Catalogue.characteristics.count == 248)
        #expect(Catalogue.services.count == 72)
    }

    @Test func itIsOrderedById() {
        #expect(Catalogue.characteristics.map(\.id) == Catalogue.characteristics.map(\.id).sorted())
        #expect(Catalogue.services.map(\.id) == Catalogue.services.map(\.id).sorted())
    }

    @Test func noTypeAndNoIdOccursTwice() {
        #expect(Set(Catalogue.characteristics.map(\.type)).count == 248)
        #expect(Set(Catalogue.characteristics.map(\.id)).count == 248)
        #expect(Set(Catalogue.services.map(\.type)).count == 72)
        #expect(Set(Catalogue.services.map(\.id)).count == 72)
    }

    @Test func onlyTheKitsOwnVersionHasATypeOutsideApplesBase() {
        let foreign = Catalogue.characteristics.filter { $0.type.uuid.apple == nil }
        #expect(foreign.map(\.id) == ["ADKVersion"])
        #expect(CharacteristicType.adkVersion.uuid.description == "34AB8811-AC7F-4340-BAC3-FD6A85F9943B")
        #expect(Catalogue.services.allSatisfy { $0.type.uuid.apple != nil })
    }

    @Test func everyCharacteristicOfAServiceIsInTheCatalogueOnce() {
        for service in Catalogue.services {
            let all = service.required + service.optional
            #expect(all.allSatisfy { Catalogue.characteristic($0) != nil }, "\(service.id)")
            #expect(Set(all).count == all.count, "\(service.id)")
        }
        #expect(Catalogue.services.map(\.required.count).reduce(0, +) == 170)
        #expect(Catalogue.services.map(\.optional.count).reduce(0, +) == 238)
    }

    @Test func everyTypeIsFoundByItself() {
        for definition in Catalogue.characteristics {
            #expect(Catalogue.characteristic(definition.type) == definition)
        }
        for definition in Catalogue.services {
            #expect(Catalogue.service(definition.type) == definition)
        }
    }

    @Test func everyTypeIsFoundByItsId() {
        for definition in Catalogue.characteristics {
            #expect(Catalogue.characteristic(named: definition.id) == definition)
        }
        for definition in Catalogue.services {
            #expect(Catalogue.service(named: definition.id) == definition)
        }
    }

    @Test func everyAliasAndNameIsKnown() {
        for definition in Catalogue.characteristics {
            for name in definition.aliases + [definition.name] {
                #expect(Catalogue.characteristic(named: name) == definition, "\(name)")
            }
        }
        for definition in Catalogue.services {
            for name in definition.aliases + [definition.name] {
                let found = Catalogue.service(named: name)
                // Apple calls the second fan «Fan» too; the first one's id has precedence.
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
    func aCharacteristicsNameMayBeWrittenInManyWays(name: String, short: UInt32) {
        #expect(Catalogue.characteristic(named: name)?.type == CharacteristicType(apple: short))
    }

    @Test(
        arguments: [
            ("Garage Door Opener", 0x41), ("garageDoorOpener", 0x41), ("Lightbulb", 0x43), ("Light Bulb", 0x43),
            ("Fan", 0x40),
            ("fanv2", 0xB7), ("Battery Service", 0x96), ("TelevisionSpeaker", 0x113), ("switch", 0x49),
        ] as [(String, UInt32)]
    )
    func aServicesNameMayBeWrittenInManyWays(name: String, short: UInt32) {
        #expect(Catalogue.service(named: name)?.type == ServiceType(apple: short))
    }

    @Test(arguments: [
        "", " ", "-", "Fade Rate", "CurrentDoorStates", "E", "0000000E-0000-1000-8000-0026BB765291", "ön", "Ｏn",
    ])
    func anUnknownNameIsNil(name: String) {
        #expect(Catalogue.characteristic(named: name) == nil)
        #expect(Catalogue.service(named: name) == nil)
    }

    @Test func aVendorsTypeIsNil() throws {
        let fadeRate = try #require(HAPUUID("7E536242-341C-4862-BE90-272CE15BD633"))
        #expect(Catalogue.characteristic(CharacteristicType(fadeRate)) == nil)
        #expect(Catalogue.service(ServiceType(fadeRate)) == nil)
        #expect(CharacteristicType(fadeRate).description == "7E536242-341C-4862-BE90-272CE15BD633")
    }

    @Test func aTypeDescribesItselfByItsName() {
        #expect(CharacteristicType.currentDoorState.description == "Current Door State")
        #expect(ServiceType.garageDoorOpener.description == "Garage Door Opener")
    }
}
