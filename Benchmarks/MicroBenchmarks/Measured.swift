/// Does something that is to be counted; everything outside of it is not.
func measured(_ body: @escaping () throws -> Void) throws {
    if let failure = measured(Work(body: body)) { throw failure }
}

/// A closure that the compiler cannot inline; otherwise it would specialize ``roundedNumber(_:)`` for it.
private struct Work {
    let body: () throws -> Void
}

/// A frame that callgrind recognizes: not inlined, and not made another for its caller.
@inline(never)
@_optimize(none)
@_silgen_name("hap_measured")
private func measured(_ work: Work) -> (any Error)? {
    do {
        try work.body()
        return nil
    } catch {
        return error
    }
}
