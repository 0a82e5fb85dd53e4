// @ts-check
/** Changes items in a way that can be undone. */

/** @typedef {import("types/studio").Item} Item */
/** @typedef {import("./project.js").Project} Project */

/**
 * Changes items; returns what restores their earlier values.
 *
 * @param {Project} project
 * @param {Item[]} items
 * @param {Partial<Item>} change
 */
export async function changeItems(project, items, change) {
  const keys = /** @type {(keyof Item)[]} */ (Object.keys(change));
  /** @type {Map<string, string[]>} */
  const before = new Map();
  for (const item of items) {
    const values = JSON.stringify(Object.fromEntries(keys.map((key) => [key, item[key]])));
    before.set(values, [...before.get(values) ?? [], item.id]);
  }
  await project.send("PATCH", "items", { ids: items.map(({ id }) => id), ...change });
  return async () => {
    for (const [values, ids] of before) {
      await project.send("PATCH", "items", { ids, ...JSON.parse(values) });
    }
  };
}

/**
 * Removes items, not their files; returns what brings them back, with all
 * columns of their rows.
 *
 * @param {Project} project
 * @param {Item[]} items
 */
export async function removeItems(project, items) {
  await project.send("DELETE", "items", { ids: items.map(({ id }) => id) });
  return () => project.send("POST", "items", {
    items: items.map(({ id, file, label, well, start, end, person }) =>
      ({ id, file, label, well, start, end, person })),
  });
}
