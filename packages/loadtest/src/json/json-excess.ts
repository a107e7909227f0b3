/** More values than a source of 50 MB has that is no list of nothing. */
const valuesMax = 3_000_000

/**
 * Why a text is not to be given to JSON.parse, if it has too much in it: that takes some 300 bytes for each level, which count
 * towards no limit of the JavaScript heap, and some 50 for each value.
 */
export function jsonExcess(text: string, levelsMax: number): string | undefined {
  let level = 0
  let values = 0
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '"') at = endOfString(text, at + 1)
    else if (character === '}' || character === ']') level--
    else if (character === ',' || character === '{' || character === '[') {
      if (++values > valuesMax) return `It holds more than ${valuesMax} values. Import it in parts.`
      if (character !== ',' && ++level > levelsMax)
        return `Its values are nested more than ${levelsMax} levels deep.`
    }
  }
  return undefined
}

/** Place of the quote that ends a string, or the end of the text. */
function endOfString(text: string, from: number): number {
  let at = from
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at
}
