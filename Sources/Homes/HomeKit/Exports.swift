// Apple's HomeKit also re-exports Foundation.
@_exported public import Foundation
