// @ts-check
/** An event target whose events carry typed details. */

/** @template {Record<string, any>} Events the type of each event's detail, by name */
export class Emitter extends EventTarget {
  /**
   * @template {keyof Events & string} Name
   * @param {Name} name
   * @param {(detail: Events[Name]) => void} handle
   */
  on(name, handle) {
    this.addEventListener(name, (event) =>
      handle(/** @type {CustomEvent<Events[Name]>} */ (event).detail));
  }

  /**
   * @template {keyof Events & string} Name
   * @param {Name} name
   * @param {Events[Name]} detail
   */
  emit(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}
