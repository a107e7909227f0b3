import { asObject } from '../../json/json-values.ts'
import { titleWithoutIds } from '../../text/ids.ts'
import { virtualUser } from '../../model/virtual-user.ts'
import type { Importer, ImportContext, ImportOptions } from '../importer.ts'
import { SourceError } from '../importer.ts'
import { ReportBuilder, type ImportReport } from '../report.ts'
import { ServerDrafts } from '../server-drafts.ts'
import { buildActions } from './build-actions.ts'
import { newFate, readDraft, type Draft, type Fate, type ReadEntry } from './draft.ts'
import { findResources } from './embedded-resources.ts'
import { requestsOf, type HarRequest } from './har-request.ts'
import { readHarParts } from './har-scanner.ts'
import { textOf } from './har-values.ts'
import { ImportedFiles } from './imported-files.ts'
import { trackerOf } from './known-trackers.ts'
import { makeParts, originOf } from './request-parts.ts'
import { divide, startOf, type HarPage, type Step } from './segments.ts'
import { socketEvents, type SocketEvent } from './web-socket.ts'

const messagesMax = 20_000
const originsMax = 1000

/**
 * Reads a recording of a browser ([HAR 1.2](http://www.softwareishard.com/blog/har-12-spec/)), with what Chrome and Playwright add
 * to it, up to 200 MB; holds one entry at a time, and of the others what a virtual user sends.
 */
export const importHar: Importer = async (source, options, context) => {
  const files = new ImportedFiles()
  const { creator, pages, entries } = await readHar(source, { context, files })
  const drafts = entries.flatMap(({ draft }) => draft ?? []).toSorted((a, b) => a.startMs - b.startMs)
  const requests = requestsOf(withoutOtherOrigins(drafts.filter((draft) => !isSocket(draft))))
  const made = leaveOut(requests, options)
  const sockets = readSockets(withoutOtherOrigins(drafts.filter(isSocket)))

  const steps: Step[] = [
    ...made.map((request): Step => ({ kind: 'request', request })),
    ...sockets.events.map((event): Step => ({ kind: 'socket', event })),
  ].toSorted((a, b) => startOf(a) - startOf(b))
  const segments = divide(steps, pages, options)
  const resources = options.resources === 'embedded' ? findResources(segments) : new Map<HarRequest, []>()

  const servers = new ServerDrafts(context)
  const parts = makeParts(
    made.map(({ first }) => first),
    { context, servers },
  )
  const actions = buildActions(segments, {
    parts,
    resources,
    serverIdOf: (draft) => servers.idOf(originOf(draft)),
    context,
    options,
  })
  const document = virtualUser.parse({
    name: nameOf(options, pages, drafts),
    user_agent: parts.userAgent,
    actions: [],
  })
  const variables = parts.variables.all()
  const report = reportOf({
    creator,
    pages,
    entries,
    messages: sockets.fatesOf,
    hasTimeline: options.timeline.length > 0,
  })
  const secrets = variables.filter((each) => each.document.type === 'secret')
  for (const secret of secrets)
    report.notes.push(
      `Passwords are not imported: set the value of the secret variable ${secret.document.name}.`,
    )
  return {
    virtualUsers: [{ id: context.newId('virtualUser'), document: { ...document, actions } }],
    servers: servers.all(),
    variables,
    rules: [],
    files: files.all(),
    report,
  }
}

async function readHar(
  source: AsyncIterable<Uint8Array>,
  made: { context: ImportContext; files: ImportedFiles },
): Promise<{ creator: string | null; pages: HarPage[]; entries: ReadEntry[] }> {
  let creator: string | null = null
  const pages: HarPage[] = []
  const entries: ReadEntry[] = []
  let startMs = 0
  let messages = 0
  for await (const { key, index, place, value } of readHarParts(source)) {
    if (key === 'creator') {
      const { name, version } = asObject(value)
      creator = [textOf(name), textOf(version)]
        .filter((word) => word !== null)
        .join(' ')
        .slice(0, 200)
    } else if (key === 'pages') {
      const title = textOf(asObject(value)['title']) ?? ''
      pages.push({ id: textOf(asObject(value)['id']), title, fate: newFate(place, title.slice(0, 200)) })
    } else {
      const entry = await readDraft(value, { index, place, startMs }, made)
      startMs = entry.draft?.startMs ?? startMs
      messages += entry.draft?.messages.length ?? 0
      if (messages > messagesMax)
        throw new SourceError(`There are more than ${messagesMax} WebSocket messages.`, place)
      entries.push(entry)
    }
  }
  return { creator, pages, entries }
}

/** Browsers write `wss:` in its address; mitmproxy writes `https:`, and says otherwise what it is. */
function isSocket({ url, resourceType, status, messages }: Draft): boolean {
  if (url.protocol === 'ws:' || url.protocol === 'wss:' || resourceType === 'websocket') return true
  return status === 101 && messages.length > 0
}

/** A server is made for each origin, and no recording of a person has so many. */
function withoutOtherOrigins(drafts: readonly Draft[]): Draft[] {
  const origins = new Set<string>()
  return drafts.filter((draft) => {
    if (origins.size < originsMax) origins.add(originOf(draft))
    const isIn = origins.has(originOf(draft))
    if (!isIn) draft.fate.dropped = `The recording goes to more than ${originsMax} servers.`
    return isIn
  })
}

/** Static resources, if they are not wanted; and what a service worker asked for in the name of a page, which is told twice. */
function leaveOut(requests: readonly HarRequest[], { resources }: ImportOptions): HarRequest[] {
  const asked = Map.groupBy(requests, ({ first }) => `${first.method} ${first.url.href}`)
  return requests.filter((request) => {
    const { first, hops, kind } = request
    const twin = first.isFromServiceWorker
      ? asked
          .get(`${first.method} ${first.url.href}`)
          ?.find((other) => !other.first.isFromServiceWorker && isDuring(other, request))
      : undefined
    const why =
      twin !== undefined
        ? `A service worker answered, which asked for it itself: ${twin.first.fate.place}.`
        : kind === 'static' && resources === 'dropped'
          ? 'Static resources are left out, as was chosen.'
          : null
    if (why !== null) for (const { fate } of [first, ...hops]) fate.dropped = why
    return why === null
  })
}

function isDuring(inner: HarRequest, outer: HarRequest): boolean {
  return inner.startMs >= outer.startMs && inner.startMs <= outer.endMs
}

function readSockets(drafts: readonly Draft[]): {
  events: SocketEvent[]
  fatesOf: ReadonlyMap<Fate, readonly Fate[]>
} {
  const read = drafts.map((draft, index) => ({
    draft,
    ...socketEvents(draft, index === 0 ? 'default' : `socket-${index + 1}`),
  }))
  return {
    events: read.flatMap(({ events }) => events),
    fatesOf: new Map(read.map(({ draft, fates }) => [draft.fate, fates])),
  }
}

function nameOf({ name }: ImportOptions, pages: readonly HarPage[], drafts: readonly Draft[]): string {
  const title = pages.find((page) => page.title.trim() !== '' && !/^https?:/i.test(page.title))?.title.trim()
  return (name?.trim() || (title && titleWithoutIds(title)) || drafts[0]?.url.host || 'Recording').slice(
    0,
    80,
  )
}

function reportOf({
  creator,
  pages,
  entries,
  messages,
  hasTimeline,
}: {
  creator: string | null
  pages: readonly HarPage[]
  entries: readonly ReadEntry[]
  messages: ReadonlyMap<Fate, readonly Fate[]>
  hasTimeline: boolean
}): ImportReport {
  const builder = new ReportBuilder('har')
  if (creator) builder.note(`Recorded by ${creator}.`)
  for (const { fate } of pages) {
    if (fate.actionId === null)
      fate.dropped = hasTimeline
        ? 'Containers are those of the timeline that was given.'
        : 'Nothing that became an action was loaded by it first.'
    tell(builder, 'page', fate)
  }
  const disabled = new Map<string, number>()
  for (const { fate, draft } of entries) {
    tell(builder, 'entry', fate)
    for (const message of messages.get(fate) ?? []) {
      if (fate.dropped !== null) message.dropped = 'Its connection was dropped.'
      tell(builder, 'websocket_message', message)
    }
    if (draft !== null && !draft.isVerified && fate.dropped === null)
      disabled.set(draft.url.host, (disabled.get(draft.url.host) ?? 0) + 1)
  }
  for (const [host, count] of disabled) {
    const tracker = trackerOf(host.replace(/:\d+$/, ''))
    builder.note(
      `${host}${tracker === undefined ? '' : ` (${tracker})`} is not verified: ${count} of its requests are disabled.`,
    )
  }
  return builder.report
}

function tell(builder: ReportBuilder, kind: string, fate: Fate): void {
  const { place, name, actionId } = fate
  if (fate.dropped !== null) builder.dropped({ place, kind, name }, fate.dropped)
  else if (fate.notes.length > 0)
    builder.approximated({ place, kind, name, actionId }, [...fate.notes, ...fate.remarks].join(' '))
  else builder.mapped({ place, kind, name, actionId }, fate.remarks.join(' ') || null)
}
