extension Service {
    /// The service that tells which version of HAP a server speaks: once, on the primary accessory only.
    ///
    /// HAP: §11.2
    public static func protocolInformation() -> Service {
        Service(.protocolInformation, characteristics: [Characteristic(catalogued: .version, value: "1.1.0")])
    }
}
