internal import AsyncPrimitives
internal import Discovery
internal import Synchronization

/// Finds receivers on the network through the Avahi daemon.
///
/// ```swift
/// for await devices in CastDeviceBrowser().devices() { print(devices.map(\.name)) }
/// ```
public final class CastDeviceBrowser: Sendable {
    private let browser: AccessoryBrowser

    /// Creates a browser, which does nothing until there is a reader.
    ///
    /// Call this before the process has other threads that read the environment.
    public init() { browser = AccessoryBrowser(type: "_googlecast._tcp") }

    /// Returns the receivers in the order of their names, and again after each change, until the reader's task ends.
    ///
    /// The first list is complete if the daemon answers. Without a daemon it is empty, and the next one comes when there is
    /// one.
    public func devices() -> AsyncStream<[CastDevice]> {
        let updates = browser.updates()
        let list = Mutex(DeviceList())
        return AsyncStream {
            for await update in updates {
                if let devices = list.withLock({ $0.apply(update) }) { return devices }
            }
            return nil
        }
    }

    /// Returns the receiver with a name or an id, as soon as it is found; `nil` if it is not found in time.
    ///
    /// Upper and lower case do not matter.
    public func device(named name: String, within limit: Duration = .seconds(5)) async -> CastDevice? {
        let wanted = name.lowercased()
        let found = await withTimeLimit(limit) { [self] () -> CastDevice? in
            for await devices in devices() {
                if let device = devices.first(where: { $0.name.lowercased() == wanted || $0.id.lowercased() == wanted })
                {
                    return device
                }
            }
            return nil
        }
        return found ?? nil
    }
}

/// The receivers that are known, by the names of their announcements.
private struct DeviceList {
    private var devices: [String: CastDevice] = [:]
    private var isComplete = false

    /// Returns the list if readers are to get it now.
    mutating func apply(_ update: DiscoveryUpdate) -> [CastDevice]? {
        switch update {
        case .appeared(let found), .changed(let found): devices[found.name] = CastDevice(found)
        case .disappeared(let found): devices[found.name] = nil
        case .allForNow: isComplete = true
        case .unavailable:
            devices = [:]
            isComplete = true
        case .available: isComplete = false
        }
        return isComplete ? devices.values.sorted { ($0.name, $0.id) < ($1.name, $1.id) } : nil
    }
}
