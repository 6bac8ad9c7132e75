/// The page that the printed link opens: it turns the token into a cookie.
enum StartPage {
    static let contentSecurityPolicy = """
        default-src 'none'; script-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; \
        frame-ancestors 'none'
        """

    static let html = """
        <!doctype html>
        <html lang="en">
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width">
        <title>hap</title>
        <h1>hap</h1>
        <p id="state" role="status">Connecting…</p>
        <ul>
        <li><a href="/openapi.json">Description of the API</a></li>
        <li><a href="/api/v1/servers">Servers</a></li>
        <li><a href="/api/v1/events/latest">Latest events</a></li>
        <li><a href="/metrics">Metrics</a></li>
        </ul>
        <script src="/start.js" type="module"></script>
        </html>
        """

    static let script = """
        const state = document.getElementById("state");
        const token = new URLSearchParams(location.hash.slice(1)).get("token");
        // The token must not stay in the address bar or in the history.
        history.replaceState(null, "", "/");
        if (token) {
          await fetch("/api/v1/session", {
            method: "POST",
            headers: { "Content-Type": "application/json" },
            body: JSON.stringify({ token }),
          });
        }
        const answer = await fetch("/api/v1/status");
        state.textContent = answer.ok
          ? "Connected."
          : "Not connected: open the link that hap has printed; it contains the token.";
        """
}
