// The code of a server, to scan or to type.

import { h, setText } from "./dom.js";
import { serverPath } from "./api.js";
import { store } from "./store.js";
import { texts } from "./texts.js";

const words = texts.home;

/** Shows the QR code of a server in an image. */
export function showCode(image, server) {
    // A definition may have another setup code now.
    const source = `${serverPath(server.key, "qr.svg")}#${server.setupCode}`;
    if (image.getAttribute("src") !== source) image.src = source;
}

/** Shows the code as long as no controller is paired with the server, until `end` is called. */
export function pairing(server) {
    const qr = h("img.qr", { alt: texts.accessories.qr(server.name), width: "148", height: "148" });
    const code = h("p.setup-code");
    const element = h("section.room.pair", { "aria-label": words.pair }, h("h2", {}, words.pair),
        h("div.pair-code", {}, qr, h("div", {}, h("p", {}, words.pairHelp), code)));
    const update = () => {
        element.hidden = server.paired;
        setText(code, server.setupCode);
        showCode(qr, server);
    };
    update();
    return { element, end: store.on(`server:${server.key}`, update) };
}
