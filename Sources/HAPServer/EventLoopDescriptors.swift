internal import NIOCore

/// The file descriptors that the event loops of a process take.
///
/// The shared group of event loops is made when it is first used, all loops at once. NIO ends the process when one of
/// them finds no descriptor, so that a program checks that there are enough before.
package enum EventLoopDescriptors {
    /// How many are taken by the shared group: three for each loop.
    package static var count: Int {
        3 * NIOSingletons.groupLoopCountSuggestion
    }
}
