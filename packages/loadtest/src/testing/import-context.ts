import {
  defaultImportOptions,
  type ImportContext,
  type Importer,
  type ImportOptions,
} from '../import/importer.ts'
import { type Imported, SourceError } from '../import/importer.ts'
import type { ImportReport } from '../import/report.ts'
import { virtualUser } from '../model/virtual-user.ts'
import type { Action, HttpRequest } from '../model/action.ts'

/** Ids are counted; only hosts of this machine and of example.com are verified. */
export function importContext(changes: Partial<ImportContext> = {}): ImportContext {
  let count = 0
  return {
    newId: (kind) => `${kind}_${++count}`,
    keep: () => Promise.reject(new Error('Nothing is recorded here.')),
    hide: () => undefined,
    isVerified: (host) => /(?:^|\.)example\.com(?::\d+)?$|^(?:127\.0\.0\.1|localhost)(?::\d+)?$/.test(host),
    ...changes,
  }
}

/** What an importer makes of a text or of bytes, which come in two pieces. What it makes is checked to be valid. */
export async function importText(
  importer: Importer,
  source: string | Uint8Array,
  options: Partial<ImportOptions> = {},
  context = importContext(),
): Promise<Imported> {
  const bytes = typeof source === 'string' ? new TextEncoder().encode(source) : source
  const middle = Math.floor(bytes.length / 2)
  async function* pieces(): AsyncGenerator<Uint8Array> {
    yield bytes.subarray(0, middle)
    yield await Promise.resolve(bytes.subarray(middle))
  }
  const imported = await importer(pieces(), { ...defaultImportOptions, ...options }, context)
  for (const { document } of imported.virtualUsers) virtualUser.parse(document)
  return imported
}

/** The report of an import, or undefined when the source is refused as it should be; whatever else is thrown stays thrown. */
export async function reportOrRefusal(
  importer: Importer,
  source: string | Uint8Array,
): Promise<ImportReport | undefined> {
  try {
    return (await importText(importer, source)).report
  } catch (error) {
    if (error instanceof SourceError) return undefined
    throw error
  }
}

/** All requests of what was imported, in their order. */
export function requestsOf(imported: Imported): HttpRequest[] {
  const inside = (actions: readonly Action[]): HttpRequest[] =>
    actions.flatMap((action) =>
      action.type === 'http_request' ? [action] : 'actions' in action ? inside(action.actions) : [],
    )
  return imported.virtualUsers.flatMap(({ document }) => inside(document.actions))
}
