internal import PropertyLists

extension VideoRequest {
    /// Reads the body of `/play`: a property list, or lines such as `Content-Location: http://example.com/film.m3u8`.
    init(playing request: AirPlayRequest) throws(AirPlayRefusal) {
        var (url, start, isPart): (String?, Double?, Bool) = (nil, nil, false)
        if request.contentType == "text/parameters" {
            for line in String(decoding: request.body, as: UTF8.self).split(whereSeparator: \.isNewline).prefix(32) {
                guard let colon = line.firstIndex(of: ":") else { continue }
                let value = line[line.index(after: colon)...].drop { $0 == " " }
                switch line[..<colon] {
                case "Content-Location": url = String(value)
                case "Start-Position": (start, isPart) = (Double(value), true)
                default: break
                }
            }
        } else {
            guard let list = try? PropertyListReader.read(request.body, name: "the request", limits: .request) else {
                throw AirPlayRefusal(400, "the body is not a property list")
            }
            url = list["Content-Location"]?.text
            if let seconds = list["Start-Position-Seconds"]?.number {
                start = seconds
            } else if let position = list["Start-Position"]?.number {
                // A number up to 1 is a part of the duration, as the first version of AirPlay has it.
                (start, isPart) = (position, position <= 1)
            }
        }
        guard let url, !url.isEmpty, url.utf8.count <= 2_048 else {
            throw AirPlayRefusal(400, "Content-Location is missing or too long")
        }
        self = .play(url: url, start: start.map { $0.isFinite ? max($0, 0) : 0 } ?? 0, isPart: isPart)
    }
}

extension PlaybackInformation {
    /// The answer to `/playback-info`.
    package var answer: AirPlayResponse {
        var list: [(String, PropertyList)] = [("readyToPlay", .bool(isReady))]
        if let failure {
            let code = PropertyList(integer: failure.code) ?? 0
            list.append(("error", ["code": code, "domain": .text(failure.domain)]))
        }
        if let duration {
            let range: PropertyList = [["start": .real(0), "duration": .real(duration)]]
            list += [("duration", .real(duration)), ("loadedTimeRanges", range), ("seekableTimeRanges", range)]
        }
        if isReady {
            list += [
                ("position", .real(position)), ("rate", .real(rate)), ("playbackLikelyToKeepUp", true),
                ("playbackBufferEmpty", false), ("playbackBufferFull", true),
            ]
        }
        return AirPlayResponse(propertyList: .dictionary(PropertyListDictionary(list)))
    }

    /// The answer to `GET /scrub`.
    package var positionAnswer: AirPlayResponse {
        AirPlayResponse("text/parameters", Array("duration: \(duration ?? 0)\nposition: \(position)\n".utf8))
    }
}
