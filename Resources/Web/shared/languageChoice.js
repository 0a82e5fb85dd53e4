// @ts-check
/** The choice of the page's language, for settings. */

import { make } from "./dom.js";
import { languages } from "./language.js";
import { preferences, remember } from "./preferences.js";

/**
 * A list of the languages, each by its own name; the page loads again in the chosen one.
 *
 * @param {string} id
 * @param {(key: "language.name" | "language.auto") => string} t
 */
export function languageChoice(id, t) {
  const select = make("select", { id }, make("option", { value: "" }, t("language.auto")),
    ...Object.entries(languages).map(([tag, name]) =>
      make("option", { value: tag, lang: tag }, name)));
  select.value = preferences.language ?? "";
  select.addEventListener("change", () => {
    remember({ language: select.value || null });
    const address = new URL(location.href);
    address.searchParams.delete("language");
    history.replaceState(null, "", address);
    location.reload();
  });
  return make("div", { className: "field across" }, make("label", { for: id }, t("language.name")),
    select);
}
