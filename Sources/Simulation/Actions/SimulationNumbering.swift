/// Numbers for what has the name of something beside it: `Outlet 1`, `Outlet 2`.
enum SimulationNumbering {
    /// The numbers that are to stand behind names; `nil` behind one that nothing else has.
    static func numbers(of siblings: [(name: String, keys: [String])]) -> [Int?] {
        let names = siblings.map { SimulationNameKey.key($0.name) }
        var counts: [String: Int] = [:]
        for name in names { counts[name, default: 0] += 1 }
        guard counts.count < names.count else { return names.map { _ in nil } }
        let taken = Set(siblings.flatMap(\.keys))
        var last: [String: Int] = [:]
        return zip(siblings, names)
            .map { sibling, name in
                guard counts[name, default: 0] > 1 else { return nil }
                var number = last[name, default: 0] + 1
                while taken.contains(SimulationNameKey.key("\(sibling.name) \(number)")) { number += 1 }
                last[name] = number
                return number
            }
    }
}

extension [SimulatedServer] {
    /// The same, with numbers behind the names of what is called alike.
    func numbered() -> [SimulatedServer] {
        zip(self, SimulationNumbering.numbers(of: map { ($0.name, $0.keys) }))
            .map { server, number in
                var server = server
                if let number { server.number(number) }
                let numbers = SimulationNumbering.numbers(of: server.accessories.map { ($0.name, $0.keys) })
                for (index, number) in numbers.enumerated() {
                    if let number { server.accessories[index].number(number) }
                    server.accessories[index].numberServices()
                }
                return server
            }
    }
}

extension SimulatedAccessory {
    fileprivate mutating func numberServices() {
        for (index, number) in SimulationNumbering.numbers(of: services.map { ($0.name, $0.keys) }).enumerated() {
            if let number { services[index].number(number) }
        }
    }
}
