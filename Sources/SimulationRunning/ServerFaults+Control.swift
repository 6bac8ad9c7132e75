extension ServerFaults: FaultControl {}
