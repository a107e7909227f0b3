import { asObject } from '../../json/json-values.ts'
import { httpMethods } from '../../model/request.ts'
import type { Exchange } from '../../recording/exchange.ts'
import type { ImportContext } from '../importer.ts'
import { nameOf, readEntry, type HarEntry } from './har-entry.ts'
import { textOf } from './har-values.ts'
import { ImportedFiles } from './imported-files.ts'
import { passwordsOf, shownAddress } from './passwords.ts'
import { kindOf, type EntryKind } from './resource-kind.ts'
import { sentBody, type SentBody } from './sent-body.ts'

/** What became of an element of the source, as far as it is known. */
export interface Fate {
  place: string
  name: string
  /** Why there is nothing of it in the virtual user. */
  dropped: string | null
  /** What is not as it was. */
  notes: string[]
  /** What else is to be known. */
  remarks: string[]
  actionId: string | null
}

export function newFate(place: string, name: string): Fate {
  return { place, name, dropped: null, notes: [], remarks: [], actionId: null }
}

/** An entry on its way to an action. */
export interface Draft extends HarEntry {
  /** Place of its exchange in the recording. */
  recorded: number
  kind: EntryKind
  /** Whether requests may go to its host. */
  isVerified: boolean
  sent: SentBody['body']
  fate: Fate
}

/** One of `log.entries`: its fate, and the draft of what is not dropped. */
export interface ReadEntry {
  fate: Fate
  draft: Draft | null
}

const headersMax = 200

/** Reads an entry, keeps its exchange, and says whether there can be an action of it. */
export async function readDraft(
  value: unknown,
  at: { index: number; place: string; startMs: number },
  { context, files }: { context: ImportContext; files: ImportedFiles },
): Promise<ReadEntry> {
  const fate = newFate(at.place, '')
  const drop = (why: string): ReadEntry => ({ fate: { ...fate, dropped: why }, draft: null })
  const request = asObject(asObject(value)['request'])
  const address = textOf(request['url'])
  if (address === null) return drop('It has no address of a request.')
  const url = URL.parse(address)
  fate.name = (url === null ? address : shownAddress(url)).slice(0, 200)
  if (url === null) return drop('Its address is none that can be read.')
  if (!/^(?:https?|wss?):$/.test(url.protocol))
    return drop(
      `Addresses that begin with ${url.protocol.slice(0, 40)} are nothing that a server is asked for.`,
    )
  const { entry, exchange } = readEntry(asObject(value), url, at)
  fate.name = nameOf(entry)
  const recorded = await context.keep(exchange)
  const dropped = whyDropped(entry, exchange)
  // Also what nothing is made of stays in the recording, and its files are left out.
  const { body, notes } = sentBody(
    entry,
    asObject(request['postData']),
    dropped === undefined ? files : new ImportedFiles(),
  )
  for (const password of passwordsOf(entry, body)) context.hide(password)
  if (dropped !== undefined) return drop(dropped)
  fate.notes.push(...notes)
  const isVerified = context.isVerified(url.host)
  return { fate, draft: { ...entry, recorded, kind: kindOf(entry), isVerified, sent: body, fate } }
}

function whyDropped(entry: HarEntry, { request }: Exchange): string | undefined {
  const has = (name: string) => request.headers.some((header) => header.name.toLowerCase() === name)
  if (
    entry.resourceType === 'preflight' ||
    (entry.method === 'OPTIONS' && has('access-control-request-method'))
  )
    return 'A browser asks by itself whether it may call another origin (CORS); a virtual user need not.'
  if (entry.status === null && entry.messages.length === 0)
    return `No answer came (${entry.error ?? 'unknown'}). Add the request if it matters.`
  if (!(httpMethods as readonly string[]).includes(entry.method))
    return `${entry.method.slice(0, 40)} is no method that a request can have here.`
  if (request.headers.length > headersMax) return `It has more than ${headersMax} headers.`
  // Longest that a server has as its base, and some room.
  if (entry.url.origin.length > 500) return 'The name of its host is too long.'
  return undefined
}
