// @ts-check
/** Shows the page that the address names: `#/`, `#/PROJECT/PAGE/ARGUMENT?QUERY`. */

import { information, ServerError } from "../shared/api.js";
import { byId, icon, make } from "../shared/dom.js";
import { Project } from "./project.js";
import { projectsPage } from "./projects.js";
import { pause, poll, Shell } from "./shell.js";
import { messageOf, t } from "./texts.js";

/** @typedef {import("./types.js").Context} Context */

/**
 * The pages of a project in the order of work; each is loaded when it is opened first.
 *
 * @type {Record<string, () => Promise<(context: Context) => Promise<Node> | Node>>}
 */
const pages = {
  data: async () => (await import("./data.js")).dataPage,
  montage: async () => (await import("./montage.js")).montagePage,
  record: async () => (await import("./record.js")).recordPage,
  runs: async () => (await import("./runs.js")).runsPage,
  evaluation: async () => (await import("./evaluation.js")).evaluationPage,
  preview: async () => (await import("./preview.js")).previewPage,
  output: async () => (await import("./output.js")).outputPage,
};

/** @param {string} name */
async function load(name) {
  try {
    return await pages[name]();
  } catch (error) {
    throw new ServerError(0, String(error), { text: { notLoaded: {} } });
  }
}

const shell = new Shell();
const main = byId("page");
const bar = byId("bar");
let leaving = new AbortController();
/** @type {import("types/live").Info | null} */
let info = null;
let shownProject = "";
let shownHash = location.hash;

/** @param {string} hash */
function parse(hash) {
  const [path, query = ""] = hash.replace(/^#\/?/, "").split("?");
  const [project = "", page = "data", argument = null] = path.split("/").map(decodeURIComponent);
  return { project, page: page in pages ? page : "data", argument,
    query: new URLSearchParams(query) };
}

/**
 * @param {import("types/studio").ProjectDetail | null} detail
 * @param {string} page
 */
function fillBar(detail, page) {
  const live = make("a", { className: "tool named", href: "/" }, icon("camera"), t("live"));
  const brand = make("a", { className: detail ? "brand has-project" : "brand", href: "#/" },
    make("img", { src: "/shared/icon.svg", alt: "", width: 32, height: 32 }), t("studio"));
  const links = detail ? Object.keys(pages).map((name) =>
    make("a", {
      href: `#/${encodeURIComponent(detail.id)}/${name}`, id: `go-${name}`,
      ...(name === page ? { "aria-current": "page" } : {}),
    }, t(/** @type {import("./texts.js").Key} */ (`page.${name}`)))) : [];
  bar.replaceChildren(
    make("div", { className: "where" }, brand,
      detail !== null && make("span", { id: "project-name" }, detail.name)), live,
    ...(detail ? [make("nav", { "aria-label": t("nav") }, ...links)] : []));
  bar.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
}

/** @param {Node} content of a project that this server only shows */
function withNotice(content) {
  return make("div", {}, make("p", { className: "problem", role: "status", id: "read-only" },
    t("readOnly")), content);
}

async function show() {
  leaving.abort();
  leaving = new AbortController();
  const { signal } = leaving;
  shownHash = location.hash;
  const { project: id, page, argument, query } = parse(shownHash);
  for (const sheet of document.querySelectorAll("dialog")) sheet.close();
  if (id !== shownProject) shell.forget();
  shownProject = id;
  document.body.dataset.prepared = "false";
  document.body.dataset.page = id ? page : "projects";
  document.title = t("title", { page: id ? pageName(page) : t("projects") });
  try {
    info ??= await information();
    /** @type {Node} */
    let content;
    if (id) {
      const project = new Project(id);
      const [detail, make] = await Promise.all([project.detail(), load(page)]);
      if (signal.aborted) return;
      fillBar(detail, page);
      const wireframe = info.wireframes.body;
      const built = await make({ project, detail, wireframe, argument, query, signal, shell });
      content = detail.readOnly ? withNotice(built) : built;
    } else {
      fillBar(null, "");
      content = await projectsPage({ shell });
    }
    if (signal.aborted) return;
    main.replaceChildren(content);
    document.body.dataset.prepared = "true";
  } catch (error) {
    if (signal.aborted) return;
    if (!bar.firstChild) fillBar(null, "");
    main.replaceChildren(make("h1", {}, t("problem")),
      make("p", { className: "problem", role: "alert" }, messageOf(error)),
      make("p", {}, make("a", { className: "secondary small", href: "#/" }, t("projects"))));
    document.body.dataset.prepared = "true";
    if (error instanceof ServerError && error.status === 0) {
      showAgain(signal, { isLoaded: !error.detail.text?.notLoaded });
    }
  }
}

/**
 * Shows a page that failed without a connection as soon as there is one.
 *
 * @param {AbortSignal} signal aborted when the page is left
 * @param {{isLoaded: boolean}} state whether the scripts of the page are there: a browser may ask for each
 *   of them only once, until everything is loaded again
 */
function showAgain(signal, { isLoaded }) {
  // Without its scripts a page is not shown by a server that was there all the time either.
  let mayHelp = isLoaded;
  return poll(signal, 1, async () => {
    await pause(1);
    try {
      await information();
    } catch (error) {
      mayHelp = true;
      throw error;
    }
    if (signal.aborted || !mayHelp) return false;
    if (isLoaded) show();
    else location.reload();
    return false;
  });
}

/** @param {string} page */
function pageName(page) {
  return t(/** @type {import("./texts.js").Key} */ (`page.${page}`));
}

let isReloadDue = false;
shell.reload = () => {
  // An open sheet keeps the page as it is until it is closed.
  const sheet = document.querySelector("dialog[open]");
  if (sheet && !isReloadDue) {
    isReloadDue = true;
    sheet.addEventListener("close", () => {
      isReloadDue = false;
      shell.reload();
    }, { once: true });
  }
  if (sheet) return;
  const y = scrollY;
  shell.leave(() => show().then(() => scrollTo(0, y)));
};
byId("skip").textContent = t("skip");
byId("skip").addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});
addEventListener("hashchange", () => {
  const wanted = location.hash;
  if (wanted === shownHash) return;
  // Until the question is answered, the address is that of the page that is shown.
  history.replaceState(null, "", shownHash || "#/");
  shell.leave(() => {
    history.replaceState(null, "", wanted);
    show().then(() => {
      scrollTo(0, 0);
      main.focus({ preventScroll: true });
      shell.announce(document.title);
    });
  });
});
show();
