// @ts-check
/** Finds, makes and changes elements. Nothing here takes markup, so no text can become markup. */

/**
 * The element with an id; throws if the page lacks it.
 *
 * @template {Element} [T=HTMLElement]
 * @param {string} id
 * @returns {T}
 */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`The page lacks #${id}.`);
  return /** @type {T} */ (/** @type {unknown} */ (found));
}

/**
 * A new element. A key with a hyphen, `role` and `for` are attributes, all others properties.
 *
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, string | number | boolean>} [properties]
 * @param {...(Node | string | false)} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function make(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [key, value] of Object.entries(properties)) {
    const isAttribute = key.includes("-") || key === "role" || key === "for";
    if (isAttribute) made.setAttribute(key, String(value));
    else Object.assign(made, { [key]: value });
  }
  for (const child of children) if (child !== false) made.append(child);
  return made;
}

/**
 * A button that runs a command.
 *
 * @param {string} className
 * @param {{id?: string, picture?: string, disabled?: boolean}} options `picture` names an icon
 * @param {string} name
 * @param {() => void} run
 */
export function button(className, { id = "", picture = "", disabled = false }, name, run) {
  const made = make("button", { className, disabled, type: "button", ...(id ? { id } : {}) },
    picture !== "" && icon(picture), name);
  made.addEventListener("click", run);
  return made;
}

/**
 * One of the icons in icons.svg.
 *
 * @param {string} name
 */
export function icon(name) {
  return draw("svg", { "aria-hidden": "true" }, draw("use", { href: `/shared/icons.svg#${name}` }));
}

/**
 * A new element of a drawing.
 *
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, string | number>} [attributes]
 * @param {...(Node | string | false)} children
 * @returns {SVGElementTagNameMap[Tag]}
 */
export function draw(tag, attributes = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  for (const child of children) if (child !== false) made.append(child);
  return made;
}

/**
 * Replaces the icon of a button.
 *
 * @param {Element} button
 * @param {string} name
 */
export function setIcon(button, name) {
  button.querySelector("use")?.setAttribute("href", `/shared/icons.svg#${name}`);
}

/**
 * Sets a text only if it differs, so that nothing is laid out or announced again.
 *
 * @param {Element} target
 * @param {string} text
 */
export function setText(target, text) {
  if (target.textContent !== text) target.textContent = text;
}

/**
 * Adds a header with a title and a close button to a sheet.
 *
 * @param {HTMLDialogElement} sheet
 * @param {string} title
 * @param {string} closeName
 */
export function completeSheet(sheet, title, closeName) {
  const id = sheet.id.replace("dialog", "title");
  const close = make("button",
    { className: "tool close", type: "button", "aria-label": closeName }, icon("close"));
  close.addEventListener("click", () => sheet.close());
  sheet.setAttribute("aria-labelledby", id);
  sheet.prepend(make("div", { className: "sheet-head" }, make("h2", { id }, title), close));
  sheet.addEventListener("pointerdown", (event) => {
    const box = sheet.getBoundingClientRect();
    const isInside =
      event.clientX >= box.left && event.clientX <= box.right &&
      event.clientY >= box.top && event.clientY <= box.bottom;
    if (event.target === sheet && !isInside) sheet.close();
  });
}

/**
 * Opens a sheet, which its close button, Escape and a press beside it close.
 *
 * @param {HTMLDialogElement} sheet
 */
export function openDialog(sheet) {
  if (!sheet.open) sheet.showModal();
}
