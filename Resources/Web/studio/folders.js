// @ts-check
/**
 * What the folders of files stand for, as in the layout `folders` of training: a folder is a label, one
 * in it a person, and one around the labels is neither. A folder that is named as a set is no label.
 */

/**
 * @typedef {import("types/studio").Well} Well
 * @typedef {import("./uploads.js").FoundFile} FoundFile
 * @typedef {{file: File, label: string | null, person: string | null, well: Well | null}} NamedFile
 *   `well`: that of the set whose folder it is in; null for none
 */

/**
 * The sets by the names of their folders: those that `kinema train` knows, and those of Create ML.
 *
 * @type {[RegExp, Well][]}
 */
const sets = [[/^(train|training)([ _-]?(data|set))?$/i, "training"],
  [/^(val|valid|validation)([ _-]?(data|set))?$/i, "validation"],
  [/^(test|testing)([ _-]?(data|set))?$/i, "testing"]];

/** @param {string} name of a folder */
function setOf(name) {
  return sets.find(([pattern]) => pattern.test(name))?.[1] ?? null;
}

/**
 * Files without the folders of sets and those around them, and without folders around a single one that
 * has folders: there is nothing to learn from them.
 *
 * @param {FoundFile[]} files
 * @param {string[]} labels that are known
 * @returns {(FoundFile & {well: Well | null})[]}
 */
export function divided(files, labels) {
  let parts = withoutSets(files);
  const isWrapped = () => {
    const [name, inside] = parts[0]?.folders ?? [];
    return name !== undefined && inside !== undefined
      && !labels.includes(name) && !labels.includes(inside)
      && parts.every(({ folders }) => folders.length > 2 && folders[0] === name && folders[1] === inside);
  };
  while (isWrapped()) parts = parts.map((part) => ({ ...part, folders: part.folders.slice(1) }));
  return parts;
}

/**
 * @param {FoundFile[]} files
 * @returns {(FoundFile & {well: Well | null})[]}
 */
function withoutSets(files) {
  return files.map(({ file, folders }) => {
    const place = folders.findIndex((name) => setOf(name) !== null);
    return { file, folders: folders.slice(place + 1),
      well: place < 0 ? null : setOf(folders[place] ?? "") };
  });
}

/**
 * The folder whose folders may be labels or people, if any: a single one without files of its own and
 * without anything deeper, where no name is a label yet. Several folders are labels.
 *
 * @param {FoundFile[]} files
 * @param {string[]} labels that are known
 * @returns {{name: string, inside: string[]} | null}
 */
export function openQuestion(files, labels) {
  const parts = divided(files, labels);
  const [folder, other] = outermost(parts);
  if (!folder || other || parts.some(({ well }) => well !== null)) return null;
  const { name, depths, inside } = folder;
  const isOpen = depths.size === 1 && depths.has(2)
    && ![name, ...inside].some((known) => labels.includes(known));
  return isOpen ? { name, inside } : null;
}

/**
 * Gives files their labels and people.
 *
 * @param {FoundFile[]} files
 * @param {string[]} labels that are known
 * @param {boolean} hasPeople whether the folders of ``openQuestion`` are people
 * @returns {NamedFile[]}
 */
export function named(files, labels, hasPeople) {
  const isOpen = openQuestion(files, labels) !== null;
  const parts = divided(files, labels);
  /** Those around labels. */
  const around = new Set(outermost(parts).filter(({ name, depths, inside }) =>
    !labels.includes(name) && !depths.has(1) && (isOpen ? !hasPeople
      : Math.max(...depths) > 2 || inside.some((other) => labels.includes(other))))
    .map(({ name }) => name));
  return parts.map(({ file, folders, well }) => {
    const [label = null, person = null] = around.has(folders[0] ?? "") ? folders.slice(1) : folders;
    return { file, label, person, well };
  });
}

/**
 * The outermost folders: how deep their files are, and the folders in them.
 *
 * @param {FoundFile[]} files
 */
function outermost(files) {
  /** @type {Map<string, {name: string, depths: Set<number>, inside: string[]}>} */
  const found = new Map();
  for (const { folders: [name, second, ...rest] } of files) {
    if (name === undefined) continue;
    const folder = found.get(name) ?? { name, depths: new Set(), inside: [] };
    found.set(name, folder);
    folder.depths.add(second === undefined ? 1 : 2 + rest.length);
    if (second !== undefined && !folder.inside.includes(second)) folder.inside.push(second);
  }
  return [...found.values()];
}
