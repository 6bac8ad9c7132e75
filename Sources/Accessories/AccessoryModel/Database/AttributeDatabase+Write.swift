package import HAPCore

extension AttributeDatabase {
    /// Checks one item of a write request and changes its subscription if requested.
    ///
    /// HAP: §13 rules 1 to 5
    package mutating func validate(_ item: CharacteristicWriteItem, in context: WriteContext) -> WriteDecision {
        guard let id = item.address.id, let index = index(of: id) else { return .completed(.doesNotExist) }
        let characteristic = characteristics[index]
        if item.value != nil, characteristic.permissions.contains(.timedWrite), !context.isTimed {
            return .completed(.invalidValue)
        }
        if item.value == nil, item.ev == nil {
            return .completed(.invalidValue)
        }
        if let wantsEvents = item.ev {
            let status = setSubscription(of: context.writer, to: wantsEvents, at: index, isAdmin: context.isAdmin)
            guard status == .success else { return .completed(status) }
        }
        guard let value = item.value else { return .completed(.success) }
        if !context.isAdmin, characteristic.adminOnly.contains(.write) {
            return .completed(.insufficientPrivileges)
        }
        guard characteristic.permissions.contains(.write) else { return .completed(.readOnly) }
        guard item.authorization != .malformed else { return .completed(.invalidValue) }
        guard let valid = characteristic.metadata.value(from: value, isStrict: isStrict) else {
            return .completed(.invalidValue)
        }
        return .accepted(AcceptedWrite(index: index, value: valid))
    }

    /// Commits the accepted writes; all writes to one service reach its behavior as one group.
    ///
    /// Returns the statuses of the refused writes, by index. All other writes are stored. A write whose value does not
    /// fit into the database is refused with −70407.
    ///
    /// HAP: §13, §0 (grouping)
    package mutating func commit(
        _ writes: [AcceptedWrite],
        at now: MonotonicInstant,
        into changes: inout ChangeSet
    ) -> [Int: HAPStatus] {
        var refusals: [Int: HAPStatus] = [:]
        var consequences: [(service: Int, changes: [BehaviorChange])] = []
        // Only the changes of services that have observers.
        var written: [(service: Int, changes: [BehaviorChange])] = []
        // Most requests have one write and need no table.
        var groups = writes.count > 1 ? Dictionary(grouping: writes) { characteristics[$0.index].service } : nil
        for write in writes {
            let service = characteristics[write.index].service
            guard services[service].hasBehavior else {
                guard hasRoom(for: write.value, at: write.index) else {
                    refusals[write.index] = .outOfResources
                    continue
                }
                record(write.value, written: write.value, at: write.index, into: &changes)
                if !services[service].observers.isEmpty {
                    written.append((service, [BehaviorChange(characteristics[write.index].type, write.value)]))
                }
                continue
            }
            // The first write of a service handles all writes of that service.
            guard var group = groups == nil ? writes : groups?.removeValue(forKey: service) else { continue }
            removeOversized(from: &group, refusals: &refusals)
            guard !group.isEmpty else { continue }
            let response = behaviorResponse(of: service, to: group, at: now)
            var taken: [BehaviorChange] = []
            for member in group {
                if let refusal = response.refusals[characteristics[member.index].type] {
                    refusals[member.index] = refusal
                } else {
                    record(member.value, written: member.value, at: member.index, into: &changes)
                    if !services[service].observers.isEmpty {
                        taken.append(BehaviorChange(characteristics[member.index].type, member.value))
                    }
                }
            }
            consequences.append((service, response.changes))
            if !taken.isEmpty {
                written.append((service, taken))
            }
        }
        for (service, behaviorChanges) in consequences {
            apply(behaviorChanges, of: service, into: &changes)
        }
        guard hasObservers else { return refusals }
        for (service, news) in written + consequences {
            notifyObservers(news, of: service, at: now, into: &changes)
        }
        return refusals
    }

    /// Removes the writes that do not fit from a group and refuses them, so that a behavior never accepts a write that
    /// is not stored.
    private func removeOversized(from group: inout [AcceptedWrite], refusals: inout [Int: HAPStatus]) {
        var growth = 0
        group.removeAll { write in
            guard hasRoom(for: write.value, at: write.index, besides: growth) else {
                refusals[write.index] = .outOfResources
                return true
            }
            growth += max(0, write.value.maximumJSONSize - valueSizes[write.index])
            return false
        }
    }

    private mutating func setSubscription(
        of subscriber: SubscriberID,
        to wantsEvents: Bool,
        at index: Int,
        isAdmin: Bool
    ) -> HAPStatus {
        let characteristic = characteristics[index]
        if !isAdmin, characteristic.adminOnly.contains(.notify) { return .insufficientPrivileges }
        guard characteristic.permissions.contains(.events) else { return .notificationNotSupported }
        if wantsEvents {
            subscriptions.subscribe(subscriber, to: index)
        } else {
            subscriptions.unsubscribe(subscriber, from: index)
        }
        return .success
    }
}

/// The result of checking a write item, before any value is stored.
package enum WriteDecision: Sendable, Hashable {
    /// There is no value to write: the item is complete or refused.
    case completed(HAPStatus)
    /// The value is valid for the characteristic at this index.
    case accepted(AcceptedWrite)
}

/// A validated value for the characteristic at an index.
package struct AcceptedWrite: Sendable, Hashable {
    package let index: Int
    package let value: CharacteristicValue

    package init(index: Int, value: CharacteristicValue) {
        self.index = index
        self.value = value
    }
}

/// The writer, and the kind of write.
package struct WriteContext: Sendable, Hashable {
    package let writer: SubscriberID
    package let isAdmin: Bool
    /// Whether the request is a valid timed write.
    package let isTimed: Bool

    package init(writer: SubscriberID, isAdmin: Bool, isTimed: Bool) {
        self.writer = writer
        self.isAdmin = isAdmin
        self.isTimed = isTimed
    }
}

/// The status of an item that cannot be completed.
package struct HAPStatusError: Error, Sendable, Hashable {
    package let status: HAPStatus

    package init(_ status: HAPStatus) {
        self.status = status
    }
}
