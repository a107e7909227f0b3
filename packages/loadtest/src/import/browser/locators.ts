import type { Locator } from '../../model/page.ts'

/** A locator of which only this is said. */
export function locatorBy(by: Locator['by'], value: string, more: Partial<Locator> = {}): Locator {
  return { by, value, name: null, exact: false, has_text: null, nth: null, frames: [], within: null, ...more }
}

/** A text as it is written in an XPath 1.0 expression, where quotes cannot be escaped. */
export function xpathText(text: string): string {
  if (!text.includes("'")) return `'${text}'`
  if (!text.includes('"')) return `"${text}"`
  return `concat(${text
    .split("'")
    .map((part) => `'${part}'`)
    .join(`, "'", `)})`
}

/** A text as it is written in a CSS selector. */
export function cssText(text: string): string {
  return `"${text.replaceAll(/["\\]/g, String.raw`\$&`).replaceAll('\n', String.raw`\a `)}"`
}

/** The same element where it can be written into, as far as its own attributes tell. */
export function editable(within: Locator): Locator {
  return locatorBy('xpath', 'self::*[not(@readonly) and not(@disabled)]', { within })
}
