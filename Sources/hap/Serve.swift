import AccessoryModel
import ArgumentParser
import Discovery
import Foundation
import HAPCore
import HAPServer
import Simulation
import Storage
import UnixSignals

/// `hap serve`: puts accessories on the network.
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Put the Kilgo garage on the network.",
        discussion: """
            Prints the setup code with a QR code to scan, then one line for each thing that happens. \
            Ctrl-C ends it cleanly.

            EXAMPLE
              hap serve --port 51826 --setup-code 101-48-005 --state ./garage
            """
    )

    @OptionGroup var options: ServeOptions

    func run() async throws {
        let settings = try ServeSettings(options, environment: ProcessInfo.processInfo.environment)
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
        let output = EventLog(descriptor: 1)
        let store = try await openStore(settings.stateFolder)
        do {
            try await serve(settings, from: store, logging: output, until: signals)
        } catch {
            await store.close()
            throw error
        }
        await store.close()
        output.flush()
    }

    private func serve(
        _ settings: ServeSettings,
        from store: StateStore,
        logging output: EventLog,
        until signals: UnixSignalsSequence
    ) async throws(CommandFailure) {
        let garage = KilgoGarage.accessory()
        let advertiser = try await makeAdvertiser(settings.advertise)
        let server: AccessoryServer
        do throws(ServerError) {
            server = try await AccessoryServer.start(
                ServerConfiguration(
                    name: KilgoGarage.name,
                    category: KilgoGarage.category,
                    bindAddress: settings.bindAddress,
                    port: settings.port,
                    setupCode: settings.setupCode,
                    isStrict: settings.isStrict
                ),
                accessories: [garage],
                store: store.server(key: garage.key),
                advertiser: advertiser,
                observer: output
            )
        } catch {
            throw CommandFailure(error)
        }
        let information = await server.information
        output.banner(information, bindAddress: settings.bindAddress)
        if let path = settings.readyFile {
            try ReadyFile(servers: [(garage.key, information)]).write(to: path)
        }
        for await _ in signals { break }
        output.line("Stopping.")
        await server.stop()
        if let path = settings.readyFile {
            ReadyFile.remove(path)
        }
    }

    private func openStore(_ folder: StateFolder) async throws(CommandFailure) -> StateStore {
        do throws(StoreError) {
            return try await StateStore.open(folder: folder.path)
        } catch {
            throw CommandFailure(error)
        }
    }

    private func makeAdvertiser(_ mode: AdvertiseMode) async throws(CommandFailure) -> any Advertiser {
        switch mode {
        case .off:
            return SilentAdvertiser()
        case .auto:
            return DNSSDAdvertiser()
        case .on:
            return DNSSDAdvertiser()
        }
    }
}
