import Testing

@testable import hap

struct CommandNameTests {
    @Test func everyCommandHasItsName() {
        #expect(Hap.commandsWithoutName == [])
    }
}
