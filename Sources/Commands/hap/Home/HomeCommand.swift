import ArgumentParser

/// The command `hap home`, which manages homes with rooms, scenes and automations.
struct HomeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "home",
        abstract: "Homes: rooms, zones, groups, scenes and automations.",
        discussion: """
            A home consists of accessories that this controller is paired with. Names are compared ignoring case, \
            spaces and apostrophes. For an ambiguous name, all matches are listed.

            EXAMPLE
              hap home add home "Kilgo House"
              hap home add room Garage
              hap home add-accessory 101-48-005 --room Garage
              hap home                           show the homes
              hap home set Garage lights off
              hap home scene run "Movie Time"
              hap home run                       run the automations until Ctrl-C
            """,
        subcommands: [
            HomeSay.self, HomeStatusCommand.self, HomeGet.self, HomeWatch.self, HomeList.self, HomeShow.self,
            HomeAdd.self, HomeChangeCommand.self, HomeEdit.self, HomeRename.self, HomeMove.self, HomeRemove.self,
            HomeSceneCommand.self, HomeSet.self, HomeAutomationCommand.self, HomeUserCommand.self,
            HomeJournal.self, HomeRun.self, HomeAddAccessory.self, HomeImport.self, HomeExport.self,
        ],
        defaultSubcommand: HomeShow.self
    )
}
