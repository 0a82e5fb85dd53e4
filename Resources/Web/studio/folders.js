// @ts-check
/**
 * What the folders of files stand for, as in the layout `folders` of training: a folder is a label, one
 * in it a person, and one around the labels is neither.
 */

/**
 * @typedef {import("./uploads.js").FoundFile} FoundFile
 * @typedef {{file: File, label: string | null, person: string | null}} NamedFile
 */

/**
 * The folder whose folders may be labels or people, if any: a single one without files of its own and
 * without anything deeper, where no name is a label yet. Several folders are labels.
 *
 * @param {FoundFile[]} files
 * @param {string[]} labels that are known
 * @returns {{name: string, inside: string[]} | null}
 */
export function openQuestion(files, labels) {
  const [folder, other] = outermost(files);
  if (!folder || other) return null;
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
  /** Those around labels. */
  const around = new Set(outermost(files).filter(({ name, depths, inside }) =>
    !labels.includes(name) && !depths.has(1) && (isOpen ? !hasPeople
      : Math.max(...depths) > 2 || inside.some((other) => labels.includes(other))))
    .map(({ name }) => name));
  return files.map(({ file, folders }) => {
    const [label = null, person = null] = around.has(folders[0]) ? folders.slice(1) : folders;
    return { file, label, person };
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
