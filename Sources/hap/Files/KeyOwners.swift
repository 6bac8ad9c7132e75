import AccessoryFiles
import Documents
import HAPCore

/// Which files have claimed what only one server of a program can have: the key of its state, and a device ID.
struct KeyOwners {
    private var keys: [String: String] = [:]
    private var deviceIDs: [DeviceID: String] = [:]

    /// Notes what a file claims; tells what is another's, too.
    mutating func claim(
        _ document: AccessoryDocument,
        for file: String,
        _ severity: Diagnostic.Severity
    ) -> [Diagnostic] {
        var findings: [Diagnostic] = []
        if let owner = keys.updateValue(file, forKey: document.key) {
            findings.append(
                Diagnostic(
                    severity,
                    in: file,
                    "its id is \"\(document.key)\", as that of \(owner); give one of them another \"id\", or serve them apart, "
                        + "each with its own --state"
                )
            )
        }
        if let deviceID = document.deviceID, let owner = deviceIDs.updateValue(file, forKey: deviceID), findings.isEmpty
        {
            findings.append(
                Diagnostic(
                    severity,
                    in: file,
                    path: "deviceID",
                    "\(deviceID) is the device ID of \(owner), too; leave one of them away, and a new one is drawn"
                )
            )
        }
        return findings
    }
}
