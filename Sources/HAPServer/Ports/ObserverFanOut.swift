/// Tells several observers the same, in their order.
package struct ObserverFanOut: ServerObserver {
    private let observers: [any ServerObserver]

    package init(_ observers: [any ServerObserver]) {
        self.observers = observers
    }

    package var wantsItems: Bool {
        observers.contains { $0.wantsItems }
    }

    package func observe(_ fact: ServerFact) {
        for observer in observers {
            observer.observe(fact)
        }
    }
}
