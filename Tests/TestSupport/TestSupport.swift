import HAPCore
