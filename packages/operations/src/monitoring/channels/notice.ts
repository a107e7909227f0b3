/** What a person is told of a run, whichever way it goes to them. */
export interface Notice {
  /** One line: `Test failed: Checkout, 50 users`. */
  title: string
  /** More of it, in a sentence or two; empty when there is no more. */
  words: string
  facts: readonly { label: string; value: string }[]
  /** What to open, and what that is. */
  link: { url: string; label: string }
}

/** The same as a channel takes it: the body of a request. */
export type Rendered = (notice: Notice) => string

/** Names are somebody else's text, and channels refuse what is too long. */
export function shortened(text: string, charactersMax: number): string {
  return text.length <= charactersMax ? text : `${text.slice(0, charactersMax - 1)}…`
}

/** Facts that a card may have. */
export const factsMax = 10
