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
        let store = try await openStore(settings.stateLocation)
        let log = EventLog(descriptor: STDOUT_FILENO)
        var failure: CommandFailure?
        do throws(CommandFailure) {
            try await serve(settings, from: store, until: signals, log)
        } catch {
            failure = error
        }
        if let path = settings.readyFile {
            ReadyFile.remove(path)
        }
        do throws(StoreError) {
            try await store.close()
        } catch {
            failure = failure ?? CommandFailure(error)
        }
        // Last, and not for ever: nobody may be reading.
        log.flush(within: .seconds(1))
        if let failure { throw failure }
    }

    private func serve(
        _ settings: ServeSettings,
        from store: StateStore,
        until signals: UnixSignalsSequence,
        _ log: EventLog
    ) async throws(CommandFailure) {
        if let path = settings.readyFile {
            // One that a killed process has left behind tells of another server.
            ReadyFile.remove(path)
        }
        let garage = KilgoGarage.accessory()
        let advertiser: any Advertiser =
            settings.advertise == .off ? SilentAdvertiser() : DNSSDAdvertiser(on: DiscoveryQueue())
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
                ports: ServerPorts(store: store.server(key: garage.key), advertiser: advertiser, observer: log)
            )
        } catch {
            throw CommandFailure(error)
        }
        do throws(CommandFailure) {
            log.name(await names(of: garage, in: server))
            try await begin(settings, garage.key, await server.information, advertiser, log)
        } catch {
            await server.stop()
            throw error
        }
        for await _ in signals { break }
        log.line("Stopping.")
        ServiceManager.tell(.stopping, at: ProcessInfo.processInfo.environment["NOTIFY_SOCKET"])
        await server.stop()
    }

    /// Says that everything listens, to people and to scripts.
    private func begin(
        _ settings: ServeSettings,
        _ key: String,
        _ information: ServerInformation,
        _ advertiser: any Advertiser,
        _ log: EventLog
    ) async throws(CommandFailure) {
        let banner = ServeBanner(information, bindAddress: settings.bindAddress, isTerminal: isatty(STDOUT_FILENO) == 1)
        log.line(banner.text)
        if settings.advertise == .on, case .unavailable(let error) = await advertiser.firstOutcome() {
            throw CommandFailure(.unavailable, error.description)
        }
        if let path = settings.readyFile {
            try ReadyFile(servers: [(key, information)]).write(to: path)
        }
        ServiceManager.tell(.ready, at: ProcessInfo.processInfo.environment["NOTIFY_SOCKET"])
    }

    /// What the log calls the characteristics: `Garage Door: Current Door State`.
    private func names(of accessory: Accessory, in server: AccessoryServer) async -> [CharacteristicID: String] {
        var names: [CharacteristicID: String] = [:]
        for service in accessory.services {
            let given = service.characteristics.first { $0.type == .name }?.value?.string
            for characteristic in service.characteristics {
                let reference = CharacteristicReference(
                    accessory: accessory.key,
                    service: service.key,
                    type: characteristic.type
                )
                guard let id = await server.id(of: reference) else { continue }
                names[id] =
                    "\(given ?? service.key.type.description): \(characteristic.description ?? characteristic.type.description)"
            }
        }
        return names
    }

    private func openStore(_ folder: StateLocation) async throws(CommandFailure) -> StateStore {
        do throws(StoreError) {
            return try await StateStore.open(folder: folder.path)
        } catch {
            throw CommandFailure(error)
        }
    }
}
