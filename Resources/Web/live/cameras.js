// @ts-check
/** Finds cameras in the server's network, and adds their streams to the watch file. */

import { send } from "../shared/api.js";
import { button, byId, make, openDialog, setText } from "../shared/dom.js";
import { messageOf, t } from "./texts.js";

/** @typedef {import("types/watch").Camera} Camera */
/** @typedef {import("types/watch").Stream} Stream */

/** The most characters of a source's name. */
const nameLength = 64;

/**
 * A name that a source may have: letters, digits, spaces, - and _.
 *
 * @param {string} text
 */
const named = (text) => text.replace(/[^\p{L}\p{N} _-]+/gu, " ").replace(/ +/g, " ").trim()
  .slice(0, nameLength);

export class CameraFinder {
  #dialog = /** @type {HTMLDialogElement} */ (byId("cameras-dialog"));
  #user = make("input", { type: "text", id: "camera-user", autocomplete: "off", spellcheck: false });
  #password = make("input", { type: "password", id: "camera-password", autocomplete: "off" });
  #search = button("primary", {}, t("cameras.search"), () => this.#find());
  #status = make("p", { className: "cameras-status", role: "status" });
  #list = make("ul", { className: "camera-list" });
  /** @type {() => string[]} */
  #names;

  /** @param {() => string[]} names gives those of the sources that there are */
  constructor(names) {
    this.#names = names;
    const field = (/** @type {HTMLInputElement} */ input, /** @type {string} */ text) =>
      make("div", { className: "field" }, make("label", { for: input.id }, text), input);
    const form = make("form", { className: "camera-login" },
      field(this.#user, t("cameras.user")), field(this.#password, t("cameras.password")),
      this.#search);
    form.addEventListener("submit", (event) => { event.preventDefault(); this.#find(); });
    byId("cameras-content").append(make("p", {}, t("cameras.lead")), form, this.#status, this.#list);
  }

  open() {
    openDialog(this.#dialog);
    if (this.#list.childElementCount === 0) this.#find();
  }

  /** What cameras ask for; nothing without a user. */
  get #login() {
    const user = this.#user.value.trim();
    return user ? { user, password: this.#password.value } : {};
  }

  async #find() {
    if (this.#search.disabled) return;
    this.#search.disabled = true;
    setText(this.#status, t("cameras.searching"));
    try {
      /** @type {import("types/watch").Cameras} */
      const { cameras } = await send("POST", "cameras", this.#login);
      setText(this.#status, cameras.length > 0 ? "" : t("cameras.none"));
      this.#list.replaceChildren(...cameras.map((camera) => this.#camera(camera)));
    } catch (error) {
      setText(this.#status, messageOf(error));
    } finally {
      this.#search.disabled = false;
    }
  }

  /** @param {Camera} camera */
  #camera(camera) {
    const { name, host, message, streams } = camera;
    return make("li", { className: "camera" },
      make("h3", {}, name, " ", make("span", { className: "camera-host" }, host)),
      message !== null && make("p", { className: "camera-message" }, message),
      make("ul", { className: "camera-streams" },
        ...streams.map((stream) => this.#stream(camera, stream))));
  }

  /**
   * @param {Camera} camera
   * @param {Stream} stream
   */
  #stream(camera, stream) {
    const { name, address, size } = stream;
    const field = make("input", {
      type: "text", value: named(`${camera.name} ${name}`), maxLength: nameLength,
      "aria-label": t("cameras.name", { address }),
    });
    const add = button("secondary", { picture: "plus" }, t("cameras.add"), async () => {
      const source = named(field.value);
      if (this.#names().includes(source)) return setText(note, t("cameras.taken", { name: source }));
      add.disabled = true;
      try {
        await send("POST", "sources", { name: source, address, ...this.#login });
        setText(note, t("cameras.added", { name: source }));
      } catch (error) {
        add.disabled = false;
        setText(note, messageOf(error));
      }
    });
    add.setAttribute("aria-label", t("cameras.addOf", { address }));
    const note = make("p", { className: "camera-note", role: "status" });
    return make("li", { className: "camera-stream" },
      make("span", { className: "camera-what" }, size ? `${name} · ${size}` : name),
      make("code", { className: "camera-address" }, address), field, add, note);
  }
}
