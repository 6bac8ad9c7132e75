import ArgumentParser

/// Which of the homes in a state folder are meant.
struct HomeServedOption: ParsableArguments {
    @Flag(help: "The home that 'hap serve --home' runs, instead of one of this controller.")
    var served = false
}
