/** What a person is told of a run, whichever way it goes to them. */
export interface Notice {
  /** One line: `Test failed: Checkout, 50 users`. */
  title: string
  /** More of it, in a sentence or two, in lines; empty when there is no more. */
  words: string
  facts: readonly { label: string; value: string }[]
  /** What to open, and what that is. */
  link: { url: string; label: string }
}

/** The same as a channel takes it: the body of a request. */
export type Rendered = (notice: Notice) => string

/** Names are somebody else's text, and channels refuse what is too long. */
export function shortened(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text
  // Half of a pair, as of an emoji, would be no text.
  return `${text.slice(0, charactersMax - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
}

/** As much of a text as is no longer than so many bytes of UTF-8 when it is escaped: that may make it many times as long. */
export function fitted(text: string, bytesMax: number, escape: (text: string) => string): string {
  const whole = escape(text)
  if (Buffer.byteLength(whole) <= bytesMax) return whole
  let [fits, tooLong] = [0, text.length]
  while (tooLong - fits > 1) {
    const middle = Math.floor((fits + tooLong) / 2)
    if (Buffer.byteLength(escape(shortened(text, middle))) <= bytesMax) fits = middle
    else tooLong = middle
  }
  return escape(shortened(text, fits))
}

/** In one line, as titles are. */
export function inOneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ')
}

/** Facts that a card may have. */
export const factsMax = 10
