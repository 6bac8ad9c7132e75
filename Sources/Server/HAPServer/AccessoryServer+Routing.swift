internal import AccessoryModel
internal import HAPCore

extension AccessoryServer {
    /// Handles a complete request.
    ///
    /// The next request of the connection is delivered after this one has been answered.
    func receive(_ request: HTTPRequest, on connection: ServerConnection) {
        connection.lastProgress = now
        observer?.observe(.requestReceived(connection.id, request.method, path: request.path))
        traffic?.observe(.request(request), on: connection.id, of: connection.session?.controller)
        connection.handle(request, by: self)
    }

    /// Routes a request: checks the authorization first, then the path, then the method.
    ///
    /// HAP: §10, §0 (order of checks)
    func route(_ request: HTTPRequest, from connection: ServerConnection) {
        if connection.session == nil {
            if !deferIfNeeded(request, from: connection) {
                routeInClear(request, from: connection)
            }
        } else {
            routeInSession(request, from: connection)
        }
    }

    /// Answers a request of an unverified connection.
    func routeInClear(_ request: HTTPRequest, from connection: ServerConnection) {
        let begin = now
        defer { deferredWork.recordUnverifiedWork(from: begin, to: now) }
        switch (request.endpoint, request.method) {
        case (.identify, .post): identify(from: connection)
        case (.pairSetup, .post): pairSetup(request.body, from: connection)
        case (.pairVerify, .post): pairVerify(request.body, from: connection)
        case (.identify, _), (.pairSetup, _), (.pairVerify, _):
            respond(HTTPResponse(.methodNotAllowed), to: connection)
        case (.accessories, _), (.characteristics, _), (.prepare, _), (.resource, _):
            respond(.failure(.connectionAuthorizationRequired, .insufficientAuthorization), to: connection)
        case (.pairings, _), (.secureMessage, _), (.configured, _), (nil, _):
            respond(HTTPResponse(.connectionAuthorizationRequired), to: connection)
        }
    }

    private func routeInSession(_ request: HTTPRequest, from connection: ServerConnection) {
        connections.recordActivity(of: connection)
        switch (request.endpoint, request.method) {
        case (.characteristics, .get): read(request, from: connection)
        case (.characteristics, .put): write(request, from: connection)
        case (.accessories, .get): readAccessories(from: connection)
        case (.prepare, .put): prepare(request, from: connection)
        case (.pairings, .post): pairings(request.body, from: connection)
        case (.identify, .post):
            respond(.failure(.badRequest, .insufficientPrivileges), to: connection)
        case (.pairSetup, .post), (.pairVerify, .post):
            // Pairing requires an unencrypted connection.
            respond(HTTPResponse(.badRequest), to: connection)
        case (.resource, .post):
            respond(.failure(.notFound, .doesNotExist), to: connection)
        case (.secureMessage, _), (.configured, _), (nil, _):
            respond(HTTPResponse(.notFound), to: connection)
        case (.characteristics, _), (.accessories, _), (.prepare, _), (.pairings, _), (.identify, _), (.pairSetup, _),
            (.pairVerify, _), (.resource, _):
            respond(HTTPResponse(.methodNotAllowed), to: connection)
        }
    }

    /// Answers `POST /identify`, which is allowed only while the accessory is unpaired.
    ///
    /// While the handler is running, further requests do not call it again.
    ///
    /// HAP: §18
    private func identify(from connection: ServerConnection) {
        guard !records.pairings.isPaired else {
            respond(.failure(.badRequest, .insufficientPrivileges), to: connection)
            return
        }
        observer?.observe(.identifyRequested(database.primary))
        if let index = database.index(of: .identify, in: database.primary),
            let onWrite = handlerRegistry.handlers[index]?.onWrite
        {
            let kind = HandlerID(characteristic: database.characteristics[index].id, isWrite: true)
            callHandlerUnlessRunning(kind) { _ = try await onWrite(true, nil) }
        }
        respond(HTTPResponse(.noContent), to: connection)
    }

    /// Answers a request that violates the protocol, and reports the violation to the observer.
    func refuse(
        _ error: ProtocolError,
        with response: HTTPResponse = HTTPResponse(.badRequest),
        from connection: ServerConnection
    ) {
        observer?.observe(.protocolViolation(connection.id, error))
        respond(response, to: connection)
    }
}
