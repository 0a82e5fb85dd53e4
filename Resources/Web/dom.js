// @ts-check
/**
 * Short ways to make and find elements. Nothing here takes markup, so no text can become markup.
 */

/**
 * The element with an id, which the page has.
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
 * A new element. Keys that begin with `on` are listeners, a key with a hyphen and `role` are
 * attributes, `style` is set property by property, everything else is a property.
 *
 * @param {string} tag
 * @param {Record<string, any>} [properties]
 * @param {...(Node | string | null | false)} children
 * @returns {any}
 */
export function make(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined || value === null) continue;
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (key === "style") {
      for (const [name, setting] of Object.entries(value)) made.style.setProperty(name, setting);
    } else if (key.includes("-") || key === "role" || key === "for") made.setAttribute(key, value);
    else /** @type {any} */ (made)[key] = value;
  }
  for (const child of children) if (child !== null && child !== false) made.append(child);
  return made;
}

/**
 * One of the icons in icons.svg.
 *
 * @param {string} name
 */
export function icon(name) {
  const namespace = "http://www.w3.org/2000/svg";
  const picture = document.createElementNS(namespace, "svg");
  picture.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(namespace, "use");
  use.setAttribute("href", `icons.svg#${name}`);
  picture.append(use);
  return picture;
}

/**
 * Another icon in a button that has one.
 *
 * @param {Element} button
 * @param {string} name
 */
export function setIcon(button, name) {
  button.querySelector("use")?.setAttribute("href", `icons.svg#${name}`);
}

/**
 * Sets a text only where it differs, so that nothing is laid out or read out again.
 *
 * @param {Element} target
 * @param {string} text
 */
export function setText(target, text) {
  if (target.textContent !== text) target.textContent = text;
}

/**
 * Opens a dialog that is closed by its cross, by Escape and by a press beside it.
 *
 * @param {HTMLDialogElement} dialog
 */
export function openDialog(dialog) {
  if (dialog.open) return;
  if (!dialog.dataset.wired) {
    dialog.dataset.wired = "true";
    dialog.querySelector(".close")?.addEventListener("click", () => dialog.close());
    dialog.addEventListener("pointerdown", (event) => {
      const box = dialog.getBoundingClientRect();
      const isInside =
        event.clientX >= box.left && event.clientX <= box.right &&
        event.clientY >= box.top && event.clientY <= box.bottom;
      if (event.target === dialog && !isInside) dialog.close();
    });
  }
  dialog.showModal();
}
