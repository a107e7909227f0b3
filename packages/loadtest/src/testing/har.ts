import { importHar } from '../import/har/import-har.ts'
import { defaultImportOptions, type Imported, type ImportOptions } from '../import/importer.ts'
import type { Action } from '../model/action.ts'
import type { Exchange, ExchangeHeader } from '../recording/exchange.ts'

export interface MadeEntry {
  url: string
  /** Milliseconds since the recording began. */
  atMs?: number
  ms?: number
  method?: string
  page?: string
  headers?: Record<string, string>
  postData?: object
  status?: number
  answerHeaders?: Record<string, string>
  type?: string
  text?: string
  more?: object
}

const beganMs = Date.UTC(2026, 0, 1)

/** An entry as a browser would write it. */
export function madeEntry(entry: MadeEntry): { request: object; [key: string]: unknown } {
  return {
    ...(entry.page === undefined ? {} : { pageref: entry.page }),
    startedDateTime: new Date(beganMs + (entry.atMs ?? 0)).toISOString(),
    time: entry.ms ?? 10,
    request: {
      method: entry.method ?? 'GET',
      url: entry.url,
      httpVersion: 'HTTP/1.1',
      headers: listed(entry.headers),
      ...(entry.postData === undefined ? {} : { postData: entry.postData }),
      bodySize: -1,
    },
    response: {
      status: entry.status ?? 200,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      headers: listed(entry.answerHeaders),
      content: { size: entry.text?.length ?? 0, mimeType: entry.type ?? 'text/html', text: entry.text ?? '' },
    },
    timings: { send: 0, wait: entry.ms ?? 10, receive: 0 },
    ...entry.more,
  }
}

function listed(headers: Record<string, string> = {}): ExchangeHeader[] {
  return Object.entries(headers).map(([name, value]) => ({ name, value }))
}

export interface ImportedHar extends Imported {
  exchanges: Exchange[]
  /** Passwords that are to be hidden. */
  hidden: ReadonlySet<string>
  actions: Action[]
}

/** Imports bytes, or a HAR with these entries and pages; hosts that end in `.other` or `.com` are not verified. */
export async function importedHar(
  har: Uint8Array | { entries: readonly MadeEntry[]; pages?: readonly { id: string; title: string }[] },
  options: Partial<ImportOptions> = {},
): Promise<ImportedHar> {
  const exchanges: Exchange[] = []
  const hidden = new Set<string>()
  let ids = 0
  const bytes =
    har instanceof Uint8Array
      ? har
      : Buffer.from(JSON.stringify({ log: { pages: har.pages ?? [], entries: har.entries.map(madeEntry) } }))
  const imported = await importHar(
    piecesOf(bytes, 65_536),
    { ...defaultImportOptions, ...options },
    {
      newId: (kind) => `${kind}_${++ids}`,
      keep: (exchange) => Promise.resolve(exchanges.push(exchange) - 1),
      hide: (secret) => void hidden.add(secret),
      isVerified: (host) => !/\.(?:other|com)$/.test(host),
    },
  )
  return { ...imported, exchanges, hidden, actions: imported.virtualUsers[0]!.document.actions }
}

/** Bytes as they come from a network. */
export async function* piecesOf(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

/** What of actions a recording says, as lines: `GET /login`, with two spaces for each container around them. */
export function drawRequests(actions: readonly Action[]): string[] {
  return actions.flatMap((each) => {
    if (each.type === 'container')
      return [each.name, ...drawRequests(each.actions).map((line) => `  ${line}`)]
    const state = each.enabled ? '' : ' (disabled)'
    if (each.type === 'delay')
      return [each.duration.distribution === 'constant' ? `wait ${each.duration.ms} ms` : 'wait']
    if (each.type !== 'http_request') return [`${each.name}${state}`]
    return [
      `${each.name}${state}`,
      ...each.resources.list.map((resource) => `+ ${resource.path}${resource.enabled ? '' : ' (disabled)'}`),
    ]
  })
}
