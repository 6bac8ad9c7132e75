/// What the servers of a process share to be found on the network: one thread and one browse.
///
/// Make one and hand it to every server. Each server beyond that costs a registration: a thread, a connection to the bus
/// and about five file descriptors. Making it costs nothing: threads and connections come with the first server.
public final class DiscoveryQueue: Sendable {
    let executor: DiscoveryExecutor
    let watch: ServiceWatch

    /// Makes what is shared.
    ///
    /// Call this before the process has other threads that read the environment.
    public init() {
        executor = DiscoveryExecutor()
        watch = ServiceWatch(on: executor)
    }
}
