package import HAPCore

/// A status that ends one item of a request.
package struct HAPStatusError: Error, Sendable, Hashable {
    package let status: HAPStatus

    package init(_ status: HAPStatus) {
        self.status = status
    }
}
