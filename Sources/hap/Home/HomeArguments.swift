public import ArgumentParser
public import HomeModel

extension SceneKind: ExpressibleByArgument {}
extension UserRole: ExpressibleByArgument {}
