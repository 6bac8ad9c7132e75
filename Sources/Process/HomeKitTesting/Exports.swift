// A test that uses the trait also uses the simulator.
@_exported public import HomeKitSimulator
