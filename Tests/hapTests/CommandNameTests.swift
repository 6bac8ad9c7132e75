import Testing

@testable import hap

struct CommandNameTests {
    @Test func everyCommandSaysItsName() {
        #expect(Hap.unnamedCommands == [])
    }
}
