internal import HAPCore

extension HTTPMessage {
    /// The HAP status of a body that concerns the whole request, `nil` without one.
    var hapStatus: HAPStatus? {
        guard let answer = try? CharacteristicResponse(parsing: body), let status = answer.status else { return nil }
        return Int32(exactly: status).flatMap(HAPStatus.init)
    }
}
