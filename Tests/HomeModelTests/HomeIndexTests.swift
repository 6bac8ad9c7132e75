import AccessoryModel
import Testing

@testable import HomeModel

/// Compares the index of a home with searches in the home.
struct HomeIndexTests {
    @Test
    func anIndexFindsTheSameObjectsAsTheHome() throws {
        var sample = try SampleHome()
        try sample.prepare()
        let home = try #require(sample.homes.home(sample.id))
        let index = HomeIndex(home)
        // The numbers of all objects, and some that no object of the kind has.
        for number in 0...home.nextID {
            #expect(index.room(ObjectID(number)) == home.room(ObjectID(number)))
            #expect(index.accessory(ObjectID(number)) == home.accessory(ObjectID(number)))
            #expect(index.service(ObjectID(number)) == home.service(ObjectID(number)))
            #expect(index.accessory(of: ObjectID(number)) == home.accessory(of: ObjectID(number)))
            #expect(index.room(of: ObjectID(number)) == home.room(of: ObjectID(number)))
            #expect(index.scene(ObjectID(number)) == home.scene(ObjectID(number)))
            #expect(index.automation(ObjectID(number)) == home.automation(ObjectID(number)))
            #expect(index.user(ObjectID(number)) == home.user(ObjectID(number)))
        }
        #expect(home.automations.map { index.text(of: $0) } == home.automations.map { home.text(of: $0) })
        #expect(home.visibleServicesByRoom.values.map(\.count).reduce(0, +) == home.visibleServices.count)
        for (room, services) in home.visibleServicesByRoom {
            #expect(services == home.visibleServices.filter { $0.room == room }.map(\.service))
        }
    }

    @Test
    func theFirstOfSeveralObjectsWithOneIDCounts() throws {
        let name = try ObjectName("Lamp")
        let services = [ServiceType.lightbulb, .switch].map { HomeService(id: ObjectID(2), name: name, type: $0) }
        let home = Home.made(accessories: [HomeAccessory(id: ObjectID(1), name: name, services: services)])
        #expect(HomeIndex(home).service(ObjectID(2))?.type == .lightbulb)
        #expect(home.service(ObjectID(2))?.type == .lightbulb)
    }
}
