// Types of other modules that a program needs, so that it imports only this module. Each is exported by name: the
// model's `Service` would conflict with that of swift-service-lifecycle in a program that imports both.
@_exported public import struct AccessoryModel.AnnouncementOverrides
@_exported public import enum AccessoryModel.CharacteristicFormat
@_exported public import struct AccessoryModel.CharacteristicPermissions
@_exported public import struct AccessoryModel.CharacteristicType
@_exported public import enum AccessoryModel.CharacteristicUnit
@_exported public import enum AccessoryModel.CharacteristicValue
@_exported public import struct AccessoryModel.CharacteristicWrite
@_exported public import struct AccessoryModel.ConnectionID
@_exported public import enum AccessoryModel.EventRecipient
@_exported public import enum AccessoryModel.FaultDecision
@_exported public import protocol AccessoryModel.FaultInjection
@_exported public import enum AccessoryModel.FaultInjectionPoint
@_exported public import struct AccessoryModel.RequestSummary
@_exported public import struct AccessoryModel.ServerConditions
@_exported public import struct AccessoryModel.ServiceType
@_exported public import struct AccessoryModel.StoreError
@_exported public import struct AccessoryModel.Transmission
@_exported public import class Discovery.DiscoveryQueue
@_exported public import struct HAPCore.AccessoryCategory
@_exported public import struct HAPCore.CharacteristicID
@_exported public import enum HAPCore.HAPStatus
@_exported public import enum HAPCore.JSONNumber
@_exported public import struct HAPCore.SetupCode
@_exported public import class Storage.StateStore
