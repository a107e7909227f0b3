import type { HarEntry } from './har-entry.ts'

/** What an entry is on its page: something that others load, something static beside it, or a call of a script. */
export type EntryKind = 'document' | 'static' | 'other'

const kindsByType: Readonly<Record<string, EntryKind>> = {
  document: 'document',
  iframe: 'document',
  frame: 'document',
  stylesheet: 'static',
  style: 'static',
  script: 'static',
  image: 'static',
  font: 'static',
  media: 'static',
  video: 'static',
  audio: 'static',
  track: 'static',
  texttrack: 'static',
  manifest: 'static',
  xhr: 'other',
  fetch: 'other',
  empty: 'other',
  websocket: 'other',
  eventsource: 'other',
  ping: 'other',
  beacon: 'other',
}

const staticType =
  /^\s*(?:image|font|audio|video)\/|^\s*(?:text\/css|(?:text|application)\/(?:x-)?(?:java|ecma)script|application\/(?:x-)?font)/i
const staticPath = /\.(?:css|js|mjs|png|jpe?g|gif|svg|webp|avif|ico|woff2?|ttf|otf|eot|mp4|webm|mp3|map)$/i

/** As the recorder says; else as the browser told the server; else by type of the answer, or end of the path. */
export function kindOf(entry: HarEntry): EntryKind {
  const isPlain = entry.method === 'GET'
  const told = kindsByType[entry.resourceType ?? ''] ?? kindsByType[destinationOf(entry) ?? '']
  if (told !== undefined) return told === 'static' && !isPlain ? 'other' : told
  if (entry.mimeType !== null && /^\s*(?:text\/html|application\/xhtml)/i.test(entry.mimeType))
    return 'document'
  const isStatic =
    entry.mimeType === null ? isStaticPath(entry.url.pathname) : staticType.test(entry.mimeType)
  return isStatic && isPlain ? 'static' : 'other'
}

/** Whether a path ends like that of something static. */
export function isStaticPath(path: string): boolean {
  return staticPath.test(path)
}

/** https://www.w3.org/TR/fetch-metadata/#sec-fetch-dest-header */
export function destinationOf({ headers }: HarEntry): string | undefined {
  return headers.find(({ name }) => name.toLowerCase() === 'sec-fetch-dest')?.value.toLowerCase()
}
