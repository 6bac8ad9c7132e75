import Discovery
import Testing

struct SystemBusTests {
    @Test(arguments: [
        (SystemBus.defaultAddress, ["/run/dbus/system_bus_socket"]),
        ("unix:path=/a,guid=1;unix:guid=2,path=/b", ["/a", "/b"]),
        ("unix:abstract=x", []),
        ("unix:path=/a;tcp:host=h", []),
        ("", []),
        (";;,=:", []),
    ])
    func socketsAreFoundInAnAddress(address: String, paths: [String]) {
        #expect(SystemBus.socketPaths(in: address) == paths)
    }
}
