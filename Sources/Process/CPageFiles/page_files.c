// The compiler copies the files of the page into the program. A new file needs two lines here; a test compares the list
// with the folder.

#include "page_files.h"

static const unsigned char accessories_js[] = {
#embed "page/accessories.js"
};
static const unsigned char actions_js[] = {
#embed "page/actions.js"
};
static const unsigned char api_js[] = {
#embed "page/api.js"
};
static const unsigned char automations_js[] = {
#embed "page/automations.js"
};
static const unsigned char builder_js[] = {
#embed "page/builder.js"
};
static const unsigned char characteristics_js[] = {
#embed "page/characteristics.js"
};
static const unsigned char chart_js[] = {
#embed "page/chart.js"
};
static const unsigned char controls_js[] = {
#embed "page/controls.js"
};
static const unsigned char details_js[] = {
#embed "page/details.js"
};
static const unsigned char dom_js[] = {
#embed "page/dom.js"
};
static const unsigned char draft_js[] = {
#embed "page/draft.js"
};
static const unsigned char drivers_js[] = {
#embed "page/drivers.js"
};
static const unsigned char editing_js[] = {
#embed "page/editing.js"
};
static const unsigned char editor_js[] = {
#embed "page/editor.js"
};
static const unsigned char form_js[] = {
#embed "page/form.js"
};
static const unsigned char home_js[] = {
#embed "page/home.js"
};
static const unsigned char icon_svg[] = {
#embed "page/icon.svg"
};
static const unsigned char icons_js[] = {
#embed "page/icons.js"
};
static const unsigned char index_html[] = {
#embed "page/index.html"
};
static const unsigned char log_js[] = {
#embed "page/log.js"
};
static const unsigned char main_js[] = {
#embed "page/main.js"
};
static const unsigned char messages_js[] = {
#embed "page/messages.js"
};
static const unsigned char page_css[] = {
#embed "page/page.css"
};
static const unsigned char pairing_js[] = {
#embed "page/pairing.js"
};
static const unsigned char simulation_js[] = {
#embed "page/simulation.js"
};
static const unsigned char store_js[] = {
#embed "page/store.js"
};
static const unsigned char texts_js[] = {
#embed "page/texts.js"
};
static const unsigned char tile_js[] = {
#embed "page/tile.js"
};
static const unsigned char types_js[] = {
#embed "page/types.js"
};

#define FILE(name, bytes) { name, bytes, sizeof bytes }

static const struct page_file files[] = {
    FILE("accessories.js", accessories_js),
    FILE("actions.js", actions_js),
    FILE("api.js", api_js),
    FILE("automations.js", automations_js),
    FILE("builder.js", builder_js),
    FILE("characteristics.js", characteristics_js),
    FILE("chart.js", chart_js),
    FILE("controls.js", controls_js),
    FILE("details.js", details_js),
    FILE("dom.js", dom_js),
    FILE("draft.js", draft_js),
    FILE("drivers.js", drivers_js),
    FILE("editing.js", editing_js),
    FILE("editor.js", editor_js),
    FILE("form.js", form_js),
    FILE("home.js", home_js),
    FILE("icon.svg", icon_svg),
    FILE("icons.js", icons_js),
    FILE("index.html", index_html),
    FILE("log.js", log_js),
    FILE("main.js", main_js),
    FILE("messages.js", messages_js),
    FILE("page.css", page_css),
    FILE("pairing.js", pairing_js),
    FILE("simulation.js", simulation_js),
    FILE("store.js", store_js),
    FILE("texts.js", texts_js),
    FILE("tile.js", tile_js),
    FILE("types.js", types_js),
};

const struct page_file *page_file_at(size_t position) {
    return position < sizeof files / sizeof *files ? &files[position] : NULL;
}
