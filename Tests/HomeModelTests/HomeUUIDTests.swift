import HAPCore
import HomeModel
import Testing

/// Tests the UUIDs of homes and of the objects in them.
struct HomeUUIDTests {
    /// The example of RFC 9562, appendix A.4.
    @Test func nameBasedUUIDsMatchTheStandard() throws {
        let dns = try #require(HAPUUID("6ba7b810-9dad-11d1-80b4-00c04fd430c8"))
        #expect(HAPUUID(name: "www.example.com", in: dns) == HAPUUID("2ed6657d-e927-568b-95e1-2665a8aea6a2"))
    }

    @Test func anObjectsUUIDDependsOnHomeAndID() throws {
        let home = Home(id: ObjectID(3), name: try ObjectName("House"))
        let other = Home(id: ObjectID(4), name: try ObjectName("House"))
        let uuids = [
            home.uuid, other.uuid, home.uuid(of: ObjectID<Room>(7)),
            home.uuid(of: ObjectID<Room>(8)), other.uuid(of: ObjectID<Room>(7)),
        ]
        #expect(Set(uuids).count == uuids.count)
        // A UUID never changes once it is assigned.
        #expect(home.uuid(of: ObjectID<Room>(7)).description == "0FF735F2-3EEA-52F5-85E5-C41D25192AB9")
    }
}
