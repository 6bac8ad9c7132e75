import TestSupport
import Testing

@testable import HAPCore

struct SecretPoolTests {
    @Test(arguments: [64, 384, 4096])
    func slotsAreZeroAndDoNotOverlap(_ size: Int) {
        let pool = SecretPool(slotSize: size)
        var slots: [SecretPool.Slot] = []
        for number in 0..<130 {
            let slot = pool.allocate()
            #expect(Self.bytes(of: slot, size).allSatisfy { $0 == 0 })
            Self.bytes(of: slot, size).initializeMemory(as: UInt8.self, repeating: UInt8(number))
            slots.append(slot)
        }
        for (number, slot) in slots.enumerated() {
            #expect(Self.bytes(of: slot, size).allSatisfy { $0 == number })
        }
        for slot in slots {
            pool.deallocate(slot)
        }
    }

    @Test func aSlotIsWipedWhenItIsReturned() {
        let pool = SecretPool(slotSize: 64)
        let slot = pool.allocate()
        Self.bytes(of: slot, 64).initializeMemory(as: UInt8.self, repeating: 0xFF)
        pool.deallocate(slot)
        #expect(pool.pageCount == 1, "the page stays, and can be looked at")
        #expect(Self.bytes(of: slot, 64).allSatisfy { $0 == 0 })
    }

    @Test func pagesAreMappedAndUnmappedWithTheSecrets() {
        let pool = SecretPool(slotSize: 64)
        #expect(pool.pageCount == 0)
        let slots = (0..<193).map { _ in pool.allocate() }
        #expect(pool.pageCount == 4)
        for slot in slots {
            pool.deallocate(slot)
        }
        #expect(pool.pageCount == 1)
    }

    @Test func anEmptyPageIsRetainedForReuse() {
        let pool = SecretPool(slotSize: 64)
        let slots = (0..<64).map { _ in pool.allocate() }
        let first = pool.allocate()
        pool.deallocate(first)
        let second = pool.allocate()
        #expect(first.base == second.base)
        pool.deallocate(second)
        #expect(pool.pageCount == 2)
        for slot in slots {
            pool.deallocate(slot)
        }
        #expect(pool.pageCount == 1)
    }

    @Test func threadsNeverShareASlot() async {
        let pool = SecretPool(slotSize: 64)
        await withTaskGroup(of: Bool.self) { group in
            for number in 1...8 {
                group.addTask {
                    (0..<500)
                        .allSatisfy { _ in
                            let slots = (0..<20).map { _ in pool.allocate() }
                            for slot in slots {
                                Self.bytes(of: slot, 64).initializeMemory(as: UInt8.self, repeating: UInt8(number))
                            }
                            let isIntact = slots.allSatisfy { slot in
                                Self.bytes(of: slot, 64).allSatisfy { $0 == number }
                            }
                            for slot in slots {
                                pool.deallocate(slot)
                            }
                            return isIntact
                        }
                }
            }
            for await isIntact in group {
                #expect(isIntact)
            }
        }
        #expect(pool.pageCount == 1)
    }

    @Test(arguments: [1, 63, 64, 65, 383, 384, 385, 5760])
    func aSecretOfAnySizeHoldsItsBytes(_ count: Int) {
        let first = SecretBytes(copying: [UInt8](repeating: 0xA5, count: count))
        let second = SecretBytes(copying: [UInt8](repeating: 0x5A, count: count))
        #expect(first.hex == String(repeating: "a5", count: count))
        #expect(second.hex == String(repeating: "5a", count: count))
    }

    private static func bytes(of slot: SecretPool.Slot, _ size: Int) -> UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(start: slot.base, count: size)
    }
}
