import ArgumentParser

/// `hap home`: homes with rooms, scenes and automations on top of accessories.
struct HomeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "home",
        abstract: "Homes: rooms, zones, groups, scenes and automations.",
        discussion: """
            A home is made of the accessories that this controller is paired with. Names are compared without case, spaces \
            and apostrophes; one that may mean several things is told with all of them.

            EXAMPLE
              hap home add home "Kilgo House"
              hap home add room Garage
              hap home add-accessory 101-48-005 --room Garage
              hap home                           what there is
              hap home set Garage lights off
              hap home scene run "Movie Time"
              hap home run                       run the automations until Ctrl-C
            """,
        subcommands: [
            HomeShow.self, HomeAdd.self, HomeChangeCommand.self, HomeRename.self, HomeMove.self, HomeRemove.self,
            HomeAssign.self,
            HomeSceneCommand.self, HomeSet.self, HomeAutomationCommand.self, HomeUserCommand.self,
            HomeJournal.self, HomeRun.self, HomeAddAccessory.self, HomeImport.self, HomeExport.self,
        ],
        defaultSubcommand: HomeShow.self
    )
}
