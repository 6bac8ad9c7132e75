extension Humidifier {
    /// How a humidifier and its room are built.
    package struct Configuration: Sendable, Hashable {
        /// The relative humidity that the room settles at by itself, in %; 45 by default.
        package var outside: Double
        /// How long the room takes to lose 63 % of what it differs from that; 6 h by default.
        package var exchange: Duration
        /// What humidifying adds in an hour, in %; 12 by default.
        package var humidifying: Double
        /// What dehumidifying takes away in an hour, in %; 12 by default.
        package var dehumidifying: Double
        /// How far the room leaves what is wanted before the device begins again, in %; 3 by default.
        package var hysteresis: Double
        /// How long a full tank lasts while the device humidifies; 10 h by default.
        package var tank: Duration

        /// Creates a configuration; without arguments, one for a living room.
        package init(
            outside: Double = 45,
            exchange: Duration = .seconds(6 * 3_600),
            humidifying: Double = 12,
            dehumidifying: Double = 12,
            hysteresis: Double = 3,
            tank: Duration = .seconds(10 * 3_600)
        ) {
            self.outside = outside
            self.exchange = exchange
            self.humidifying = humidifying
            self.dehumidifying = dehumidifying
            self.hysteresis = hysteresis
            self.tank = tank
        }

        var surroundings: RoomClimate.Surroundings {
            RoomClimate.Surroundings(
                outside: outside,
                swing: 0,
                exchange: exchange,
                raising: humidifying,
                lowering: dehumidifying,
                hysteresis: hysteresis,
                resolution: 1,
                limits: 0...100
            )
        }
    }
}
