/** What a page of documentation names, taken from its text: spans of code, lines of commands, paths. */

/** One mention, with the line it is in. */
export interface Mention {
  text: string
  line: number
}

/** Spans of code outside of blocks. */
export function codeSpans(markdown: string): Mention[] {
  const prose = markdown.replaceAll(fence, (block) => block.replaceAll(/[^\n]/g, ''))
  return [...prose.matchAll(/(?<!`)`([^`]+)`(?!`)/g)].map((match) => ({
    text: (match[1] ?? '').replaceAll(/\s+/g, ' '),
    line: lineOf(prose, match.index),
  }))
}

/** Blocks of code, by their language. */
export function codeBlocks(markdown: string): { language: string; body: string; line: number }[] {
  return [...markdown.matchAll(fence)].map((match) => ({
    language: match[2] ?? '',
    body: match[3] ?? '',
    line: lineOf(markdown, match.index),
  }))
}

/** A command line: one in a block is whole, one in a text may only mention an option. */
export interface CommandMention extends Mention {
  isWhole: boolean
}

/** Command lines of our programs, of spans and of blocks for a shell, from the program's name on. */
export function commandLines(markdown: string): CommandMention[] {
  const inBlocks = codeBlocks(markdown)
    .filter(({ language }) => /^(?:sh|bash|yaml|yml|)$/.test(language))
    .flatMap(({ body, line }) =>
      body
        // A command goes on behind a backslash; that keeps the numbers of lines only nearly.
        .replaceAll(/\\\n\s*/g, ' ')
        .split('\n')
        .map((text, index) => ({ text, line: line + 1 + index, isWhole: true })),
    )
  const inTexts = codeSpans(markdown).map((span) => Object.assign(span, { isWhole: false }))
  return [...inTexts, ...inBlocks].flatMap(({ text, line, isWhole }) =>
    [...text.matchAll(/(?:^|[\s;&|($]|- )((?:flamegate|mcp-profiler) (?:[^#;&|`]|&(?!&))+)/g)]
      .filter((match) => !/^(?:flamegate|mcp-profiler) (?:\S+:|is |=|http|-- )/.test(match[1] ?? ''))
      .map((match) => ({ text: (match[1] ?? '').trim(), line, isWhole })),
  )
}

const fence = /^( *)```([a-z-]*)[^\n]*\n(.*?)^ *```$/gms

function lineOf(text: string, index: number): number {
  return text.slice(0, index).split('\n').length
}
