import type { Action } from '../../model/action.ts'
import { httpMethods } from '../../model/request.ts'
import { literal } from '../../model/template.ts'
import { type Address, splitAddress } from '../address.ts'
import { ImportDraft } from '../import-draft.ts'
import { type Importer, SourceError } from '../importer.ts'
import { readText } from '../read-source.ts'

const sourceBytesMax = 10_000_000
const lineCharactersMax = 20_000

/** What a line asks for. */
interface Line {
  method: string
  url: string
  name: string
}

/**
 * Imports a list of addresses: one on each line, with or without a method before it, or a table of comma separated values with a
 * header line that names `url`, and perhaps `name` and `method`; without that line the columns are name and url. Lines that begin
 * with # are remarks. Each other line that is not empty is an element of the report (`line`).
 */
export const importUrls: Importer = async (source, options, context) => {
  const text = await readText(source, sourceBytesMax)
  const draft = new ImportDraft('urls', context)
  const actions: Action[] = []
  let columns: string[] | undefined
  for (const [index, whole] of text.split(/\r\n|\r|\n/).entries()) {
    const line = whole.trim()
    if (line === '' || line.startsWith('#')) continue
    const told = { place: `line ${index + 1}`, kind: 'line', name: line }
    if (line.length > lineCharactersMax) {
      draft.dropped(told, `It is longer than ${lineCharactersMax} characters.`)
      continue
    }
    const cells = splitCells(line)
    const lower = cells.map((cell) => cell.toLowerCase())
    if (columns === undefined && cells.length > 1 && lower.includes('url')) {
      columns = lower
      draft.told(told, null)
      continue
    }
    const asked = columns === undefined ? readLine(line, cells) : readRow(cells, columns)
    const read = addressOf(asked.url, options.baseUrl)
    if (read === undefined) {
      draft.dropped(
        told,
        asked.url.startsWith('/')
          ? 'It is no whole address: import again with a base URL.'
          : 'It is no address of http or https.',
      )
      continue
    }
    const { address, note } = read
    const settings =
      address.user === null
        ? {}
        : {
            authentication: {
              type: 'basic' as const,
              user_name: address.user.name,
              password: address.user.password,
            },
          }
    const name = asked.name === '' ? `${asked.method.toUpperCase()} ${address.path}` : asked.name
    const made = draft.request({ name, method: asked.method, address, settings }, told, note)
    if (made !== undefined) actions.push(made)
  }
  if (actions.length === 0) throw new SourceError('There is no address in it: write one on each line.')
  return draft.finish(options.name ?? 'URLs', '', actions)
}

function readLine(line: string, cells: readonly string[]): Line {
  const [, method = '', url = ''] = /^([A-Za-z]+)\s+(\S.*)$/.exec(line) ?? []
  if ((httpMethods as readonly string[]).includes(method.toUpperCase())) return { method, url, name: '' }
  const [name = '', last = ''] = cells
  if (cells.length === 2 && /^https?:\/\//i.test(last) && !/^https?:\/\//i.test(name))
    return { method: 'GET', url: last, name }
  return { method: 'GET', url: line, name: '' }
}

function readRow(cells: readonly string[], columns: readonly string[]): Line {
  const cell = (column: string): string => cells[columns.indexOf(column)] ?? ''
  return { method: cell('method') || 'GET', url: cell('url'), name: cell('name') }
}

interface Noted {
  address: Address
  note: string[]
}

function addressOf(url: string, baseUrl: string | undefined): Noted | undefined {
  if (/^https?:\/\//i.test(url)) return noted(url, [])
  if (url.startsWith('/') && !url.startsWith('//'))
    return baseUrl === undefined ? undefined : noted(`${baseUrl.replace(/\/$/, '')}${url}`, [])
  // example.com/path, localhost:8080
  return /^(?:[\w-]+(?:\.[\w-]+)+|localhost)(?::\d+)?(?:[/?#]|$)/.test(url)
    ? noted(`https://${url}`, ['It says no scheme: https is taken.'])
    : undefined
}

function noted(url: string, note: string[]): Noted | undefined {
  const address = /\s/.test(url) ? undefined : splitAddress(literal(url))
  return address === undefined || address.host === null ? undefined : { address, note }
}

/** The cells of a line of comma separated values; "" in a quoted one is a quote. */
function splitCells(line: string): string[] {
  const cells: string[] = []
  const pattern = /(?:^|,)[ \t]*(?:"((?:[^"]|"")*)"[ \t]*(?=,|$)|([^,]*))/g
  for (const [, quoted, plain] of line.matchAll(pattern))
    cells.push((quoted?.replaceAll('""', '"') ?? plain ?? '').trim())
  return cells
}
