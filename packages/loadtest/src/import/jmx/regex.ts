/** Letters of Perl's that JavaScript has as flags. */
const flagLetters = /^\(\?([ims]{1,3})\)/

/**
 * A regular expression of JMeter (Perl 5) as one of JavaScript. `(?is)` at its beginning become flags; `isValid` tells whether
 * JavaScript can read the rest.
 */
export function readRegex(source: string): { pattern: string; flags: string; isValid: boolean } {
  const found = flagLetters.exec(source)
  const letters = found?.[1] ?? ''
  const flags = ['i', 'm', 's'].filter((letter) => letters.includes(letter)).join('')
  const pattern = source
    .slice(found?.[0].length ?? 0)
    .replaceAll(/\\[^]/g, (escape) => anchors[escape] ?? escape)
  return { pattern, flags, isValid: pattern !== '' && pattern.length <= 4000 && isRegex(pattern, flags) }
}

const anchors: Readonly<Record<string, string>> = { '\\A': '^', '\\Z': '$', '\\z': '$' }

function isRegex(pattern: string, flags: string): boolean {
  try {
    void new RegExp(pattern, flags)
    return true
  } catch {
    return false
  }
}

/** The text that a regular expression means; undefined where it means more than one. */
export function unescapeRegex(pattern: string): string | undefined {
  if (
    /[\^$.*+?()[\]{}|]/.test(pattern.replaceAll(/\\[^\w]/g, '')) ||
    /\\\w/.test(pattern.replaceAll('\\\\', ''))
  )
    return undefined
  return pattern.replaceAll(/\\([^])/g, '$1')
}
