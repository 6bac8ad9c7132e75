/// Performs work that callgrind counts; it does not count anything outside of this function.
func measured(_ body: @escaping () throws -> Void) throws {
    if let failure = measured(Work(body: body)) { throw failure }
}

/// A closure that the compiler cannot inline; otherwise it would specialize ``measured(_:)`` for it.
private struct Work {
    let body: () throws -> Void
}

/// The function that callgrind recognizes by its name.
///
/// The compiler must neither inline nor specialize it.
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
