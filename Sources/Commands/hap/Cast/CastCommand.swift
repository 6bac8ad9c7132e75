import ArgumentParser

/// The command `hap cast`, which contains the commands for Google Cast.
struct CastCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cast",
        abstract: "Control Cast receivers: Chromecasts, televisions, speakers, and simulated ones.",
        discussion: """
            A receiver is given by its name or by HOST:PORT; 'hap routes --kind cast' lists those of this network.

            EXAMPLE
              hap cast load "Living Room" http://example.com/film.mp4 --title "The Film"
              hap cast pause "Living Room"
              hap cast rate "Living Room" 0.5
              hap cast status "Living Room" --watch
              hap cast root > root.crt       the certificate with which Chromium accepts a simulated receiver
            """,
        subcommands: [
            CastStatusCommand.self, CastLaunch.self, CastLoad.self, CastPlay.self, CastPause.self, CastStop.self,
            CastSeek.self, CastRate.self, CastVolumeCommand.self, CastMute.self, CastSkipAd.self, CastQueueCommand.self,
            CastSend.self, CastListen.self, CastQuit.self, CastRoot.self,
        ]
    )
}
