/** Text with its marks. A link goes to this site or to another over http; any other address stays text. */
export type Inline =
  | { kind: 'text' | 'strong' | 'emphasis' | 'code'; text: string }
  | { kind: 'link'; content: Inline[]; href: string }

export type Block =
  | { kind: 'heading'; level: number; content: Inline[] }
  | { kind: 'paragraph'; content: Inline[] }
  | { kind: 'list'; isOrdered: boolean; items: Inline[][] }
  | { kind: 'table'; head: Inline[][]; isRight: boolean[]; rows: Inline[][][] }
  | { kind: 'code'; text: string }
  | { kind: 'details'; summary: Inline[]; content: Block[] }

const listItem = /^\s*(?:[-*+]|(\d+)[.)])\s+(.*)$/
const tableRule = /^\s*\|?(?:\s*:?-+:?\s*\|)*\s*:?-+:?\s*\|?\s*$/

/**
 * The markdown that our own reports are written in: headings, paragraphs, flat lists, tables, fenced code and
 * `<details>`, with bold, emphasis, code and links inside lines. Front matter is left out. Nothing becomes HTML: names in
 * a report come from strangers.
 */
export function parseMarkdown(text: string): Block[] {
  const lines = text.replace(/^---\n[\s\S]*?\n---\n/, '').split(/\r?\n/)
  return parseBlocks(lines)
}

function parseBlocks(lines: readonly string[]): Block[] {
  const blocks: Block[] = []
  let at = 0
  const take = (belongs: (line: string) => boolean) => {
    const from = at
    while (at < lines.length && belongs(lines[at] ?? '')) at += 1
    return lines.slice(from, at)
  }
  while (at < lines.length) {
    const line = lines[at] ?? ''
    const heading = /^(#{1,6})\s+(.*?)\s*#*$/.exec(line)
    if (line.trim() === '') {
      at += 1
    } else if (heading !== null) {
      blocks.push({
        kind: 'heading',
        level: heading[1]?.length ?? 1,
        content: parseInline(heading[2] ?? ''),
      })
      at += 1
    } else if (line.startsWith('```')) {
      at += 1
      blocks.push({ kind: 'code', text: take((each) => !each.startsWith('```')).join('\n') })
      at += 1
    } else if (line.trim() === '<details>') {
      at += 1
      const inner = take((each) => each.trim() !== '</details>')
      at += 1
      blocks.push(parseDetails(inner))
    } else if (line.includes('|') && tableRule.test(lines[at + 1] ?? '')) {
      blocks.push(parseTable(take((each) => each.includes('|'))))
    } else if (listItem.test(line)) {
      const items = take((each) => listItem.test(each)).map((each) => listItem.exec(each))
      blocks.push({
        kind: 'list',
        isOrdered: items[0]?.[1] !== undefined,
        items: items.map((item) => parseInline(item?.[2] ?? '')),
      })
    } else {
      // At least this line, so that nothing is read for ever.
      const from = at
      at += 1
      take((each) => each.trim() !== '' && !startsBlock(each))
      blocks.push({ kind: 'paragraph', content: parseInline(lines.slice(from, at).join(' ').trim()) })
    }
  }
  return blocks
}

function startsBlock(line: string): boolean {
  return /^(?:#{1,6}\s|```|\s*<details>)/.test(line) || listItem.test(line)
}

function parseDetails(lines: readonly string[]): Block {
  const found = lines.findIndex((line) => /<summary>.*<\/summary>/.test(line))
  const summary = /<summary>(.*)<\/summary>/.exec(lines[found] ?? '')?.[1] ?? 'Details'
  return {
    kind: 'details',
    summary: parseInline(summary.replaceAll(/<\/?(?:b|strong|i|em|code)>/g, '')),
    content: parseBlocks(lines.slice(found + 1)),
  }
}

function parseTable([head = '', rule = '', ...rows]: readonly string[]): Block {
  return {
    kind: 'table',
    head: splitCells(head).map(parseInline),
    isRight: splitCells(rule).map((cell) => /^-+:$/.test(cell)),
    rows: rows.map((row) => splitCells(row).map(parseInline)),
  }
}

/** The cells of a row. A stroke after a backslash is part of a cell. */
function splitCells(row: string): string[] {
  return row
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim())
}

const inlineMark =
  /\\([\\`*_{}[\]()#+\-.!|<>~])|(?<!\\)(`+)(.+?)\2|\*\*(.+?)\*\*|(?<![\w*])\*([^*\s][^*]*?)\*(?!\w)|(?<!\w)_([^_\s][^_]*?)_(?!\w)|\[((?:[^\]\\]|\\.)+)\]\(([^()\s]+)\)/g

function parseInline(text: string): Inline[] {
  const parts: Inline[] = []
  const add = (part: Inline) => {
    const last = parts.at(-1)
    if (part.kind === 'text' && last?.kind === 'text') last.text += part.text
    else if (part.kind === 'link' || part.text !== '') parts.push(part)
  }
  let end = 0
  for (const match of text.matchAll(inlineMark)) {
    add({ kind: 'text', text: text.slice(end, match.index) })
    add(inlineOf(match))
    end = match.index + match[0].length
  }
  add({ kind: 'text', text: text.slice(end) })
  return parts
}

function inlineOf([
  whole,
  escaped,
  ,
  code,
  strong,
  starred,
  underlined,
  label,
  href,
]: RegExpExecArray): Inline {
  if (escaped !== undefined) return { kind: 'text', text: escaped }
  if (code !== undefined) return { kind: 'code', text: code }
  if (strong !== undefined) return { kind: 'strong', text: unescape(strong) }
  const emphasis = starred ?? underlined
  if (emphasis !== undefined) return { kind: 'emphasis', text: unescape(emphasis) }
  if (label !== undefined && href !== undefined && /^(?:https?:\/\/|\/(?!\/))/.test(href)) {
    return { kind: 'link', content: parseInline(label), href }
  }
  return { kind: 'text', text: whole }
}

function unescape(text: string): string {
  return text.replaceAll(/\\([\\`*_{}[\]()#+\-.!|<>~])/g, '$1')
}
