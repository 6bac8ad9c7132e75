@_exported public import enum AccessoryModel.CharacteristicFormat
// What a program needs besides this module's own types, so that it imports this module alone. Each by its name: the model's
// `Service` would meet the one of swift-service-lifecycle in a program that imports both.
@_exported public import struct AccessoryModel.CharacteristicMetadata
@_exported public import struct AccessoryModel.CharacteristicPermissions
@_exported public import struct AccessoryModel.CharacteristicType
@_exported public import enum AccessoryModel.CharacteristicUnit
@_exported public import enum AccessoryModel.CharacteristicValue
@_exported public import struct AccessoryModel.ServiceType
@_exported public import struct AccessoryModel.StoreError
@_exported public import struct Discovery.DiscoveredAccessory
@_exported public import struct Discovery.DiscoveryError
@_exported public import enum Discovery.DiscoveryUpdate
@_exported public import struct HAPCore.AccessoryCategory
@_exported public import struct HAPCore.AccessoryID
@_exported public import struct HAPCore.AccessoryPairing
@_exported public import struct HAPCore.CharacteristicID
@_exported public import struct HAPCore.ControllerIdentifier
@_exported public import class HAPCore.ControllerIdentity
@_exported public import struct HAPCore.DeviceID
@_exported public import enum HAPCore.HAPStatus
@_exported public import struct HAPCore.InstanceID
@_exported public import enum HAPCore.JSONNumber
@_exported public import struct HAPCore.Pairing
@_exported public import enum HAPCore.PairingError
@_exported public import struct HAPCore.ProtocolError
@_exported public import struct HAPCore.SetupCode
@_exported public import struct HAPCore.SetupPayload
