// Types of other modules that a program needs, so that it imports only this module.
@_exported public import struct Cast.AdBreak
@_exported public import struct Cast.AdBreakStatus
@_exported public import struct Cast.AdClip
@_exported public import struct Cast.CastImage
@_exported public import struct Cast.CastVolume
@_exported public import enum Cast.IdleReason
@_exported public import struct Cast.MediaCommands
@_exported public import struct Cast.MediaInformation
@_exported public import struct Cast.MediaQueueItem
@_exported public import struct Cast.MediaStatus
@_exported public import enum Cast.PlayerState
@_exported public import struct Cast.ReceiverStatus
@_exported public import enum Cast.RepeatMode
@_exported public import struct HAPCore.MonotonicInstant
