// @ts-check
/**
 * The pseudo-language: English texts half as long again, with accents and in brackets, which show what
 * has no room for a longer language, and what is not in the table of texts.
 */

/** The letters without accents. */
const plain = "aceilnosuyzACEILNOSUYZ";
/** The same ones with accents, in the same order. */
const accented = "áçéíĺñóšúýžÁÇÉÍĹÑÓŠÚÝŽ";

/** Longer by this share: German and French are up to half as long again as English. */
const growth = 0.5;

/** What stands for a value, with the words for one and many where it has them. */
const value = /(\{\w+(?::[^}]*)?\})/;

/**
 * A text in the pseudo-language; an empty one stays empty.
 *
 * @param {string} text
 */
export function pseudo(text) {
  if (text.trim() === "") return text;
  const words = text.split(value).map((piece, index) => index % 2 === 0 ? accent(piece)
    : piece.replace(/:([^|}]*)\|([^}]*)\}/, (_, one, many) => `:${accent(one)}|${accent(many)}}`));
  const length = text.split(value).filter((_, index) => index % 2 === 0).join("").length;
  const more = Math.max(1, Math.ceil(length * growth) - 2);
  const filling = Array.from({ length: more }, (_, index) => index % 6 === 5 ? " " : "ö").join("");
  return `⟦${words.join("")}${filling}⟧`;
}

/** @param {string} text */
const accent = (text) => text.replace(/[a-z]/gi, (letter) => accented[plain.indexOf(letter)] ?? letter);
