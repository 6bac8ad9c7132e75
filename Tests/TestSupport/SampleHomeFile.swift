/// A home file with everything that a home can have, and with unknown accessories.
package enum SampleHomeFile {
    /// The text.
    package static let text = """
        home: Everything
        place: { latitude: -33.87, longitude: 151.21 }
        timeZone: Australia/Sydney
        rooms: [Garage, Kids' Room, Büro]
        zones:
          Upstairs: [Kids' Room, Büro]
          Nothing: []
        accessories:
          - accessory: Door
            room: Garage
            category: GarageDoorOpener
            deviceID: 1A:2B:3C:4D:5E:6F
            services: { GarageDoorOpener: Big Door }
          - { accessory: Bridge, category: Bridge, deviceID: 1A:2B:3C:4D:5E:70 }
          - accessory: Strip
            name: Power Strip
            bridge: Bridge
            deviceID: 1A:2B:3C:4D:5E:70
            aid: 7
            services:
              Outlet (1): { name: Floor Lamp, room: Büro, as: Lightbulb }
              Outlet (2): Charger
          - accessory: Lamp
            services: { Lightbulb: Lamp }
          - accessory: Thermometer
            services: { Thermostat: Heating }
        groups:
          Lamps: [Floor Lamp, Lamp]
        scenes:
          Up: { kind: wakeUp, actions: [{ set: Lamp/On, to: true }, { set: Lamp/Brightness, to: 40% }] }
          Movie: [{ set: Heating/TargetTemperature, to: 20.5 }, { set: Big Door/TargetDoorState, to: Closed }]
        users: { Ada: owner, Bob: { role: member, remote: true } }
        automations:
          Becomes:
            when: { characteristic: Big Door/CurrentDoorState, becomes: Opening }
            if: { after: sunset, presence: anyone }
            run: [Up]
            end: { when: { characteristic: Big Door/CurrentDoorState, becomes: Closed }, after: 5m, restore: true }
          Changes: { when: { characteristic: Lamp/Hue, changes: true }, run: [Up], end: { after: 1h 30min, restore: true } }
          Above:
            when: { characteristic: Heating/CurrentTemperature, above: 25 }
            if: { characteristic: Heating/CurrentTemperature, within: 18...30.5 }
            run: [{ set: Floor Lamp/On, to: off }]
            end:
              when: { characteristic: Heating/CurrentTemperature, below: 20 }
              set: [{ set: Floor Lamp/On, to: true }]
          Within: { when: { characteristic: Heating/CurrentTemperature, within: -1...1 }, run: [Movie] }
          Time: { when: { time: 7:30, on: workdays }, if: { not: { home: Bob } }, run: [Up, Movie], enabled: false }
          Days: { when: { time: "06:00:30", on: [monday, sun] }, if: { days: weekend }, run: [Up] }
          Sun: { when: { sun: sunrise - 1h }, if: { before: 22:00 }, run: [Up] }
          Sunset: { when: { sun: sunset + 90s, on: weekend }, if: { after: 06:00, before: sunrise + 10min }, run: [Up] }
          Once: { when: { date: 2027-01-01 00:00 }, run: [Up] }
          Daily: { when: { date: 2027-01-01 00:00, on: every day }, run: [Up] }
          Weeks: { when: { date: 2027-01-01 00:00, every: 2 weeks }, run: [Up] }
          Month: { when: { date: 2027-01-31 12:00, every: month }, run: [Up] }
          Year: { when: { date: 2028-02-29 12:00, every: year }, run: [Up] }
          Third: { when: { date: 2027-01-01 00:00, every: 3 days }, run: [Up] }
          First: { when: { presence: firstArrives }, if: { any: [{ presence: noOne }, { presence: everyone }] }, run: [Up] }
          Last: { when: { presence: lastLeaves }, if: { all: [{ days: [tue] }] }, run: [Up] }
          All: { when: { presence: everyoneArrives }, run: [Up] }
          Comes: { when: { arrives: Ada }, run: [Up] }
          Goes: { when: { leaves: Bob }, run: [{ scene: Up }, { set: Lamp/Hue, to: 120 }] }
          Often: { when: { interval: 15min }, run: [Up] }
          Counted: { when: { interval: 2d, from: 2027-01-01 08:00 }, run: [Up] }

        """
}
