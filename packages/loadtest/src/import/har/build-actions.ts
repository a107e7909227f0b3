import { action, type Action } from '../../model/action.ts'
import { embeddedResource, type EmbeddedResource } from '../../model/request.ts'
import { literal } from '../../model/template.ts'
import { whyUnverified } from '../disabled-hosts.ts'
import { SourceError, type ImportContext, type ImportOptions } from '../importer.ts'
import type { Draft, Fate } from './draft.ts'
import { isEventStream, type HarRequest } from './har-request.ts'
import { trackerOf } from './known-trackers.ts'
import type { AllParts } from './request-parts.ts'
import { endOf, startOf, type Segment } from './segments.ts'
import { sentHeaders } from './sent-headers.ts'
import type { SocketEvent } from './web-socket.ts'

/** Shorter pauses are the page at work, not a person who thinks. */
const thinkTimeMinMs = 100
const actionsMax = 20_000

interface Sources {
  parts: AllParts
  /** What comes under a request. */
  resources: ReadonlyMap<HarRequest, readonly HarRequest[]>
  serverIdOf: (draft: Draft) => string
  context: ImportContext
  options: ImportOptions
}

/** The actions of a virtual user: a container for each segment, and think times between them and in them. */
export function buildActions(segments: readonly Segment[], sources: Sources): Action[] {
  const { context, options } = sources
  const isEmbedded = new Set([...sources.resources.values()].flat())
  const actions: Action[] = []
  let count = 0
  let busyUntil = Infinity
  for (const segment of segments) {
    const inside: Action[] = []
    for (const step of segment.steps) {
      const made =
        step.kind === 'socket'
          ? socketAction(step.event, sources)
          : isEmbedded.has(step.request)
            ? undefined
            : requestAction(step.request, sources)
      const idleMs = Math.min(Math.round(startOf(step) - busyUntil), options.thinkTimeMaxMs)
      const wasWaitedFor = step.kind === 'socket' && step.event.what.operation === 'expect'
      if (
        made?.enabled === true &&
        !wasWaitedFor &&
        options.thinkTimes === 'recorded' &&
        idleMs >= thinkTimeMinMs
      ) {
        const before = inside.length === 0 ? actions : inside
        before.push(delay(context.newId('action'), idleMs))
        count++
      }
      const endMs = endOf(step)
      if (endMs > -Infinity) busyUntil = busyUntil === Infinity ? endMs : Math.max(busyUntil, endMs)
      if (made === undefined) continue
      inside.push(made)
      if (++count > actionsMax)
        throw new SourceError(
          `It would become more than ${actionsMax} actions. Record less, or leave static resources out.`,
        )
    }
    if (inside.length === 0) continue
    const container = {
      type: 'container' as const,
      id: context.newId('action'),
      name: segment.name,
      comment: '',
      enabled: true,
      actions: inside,
    }
    if (segment.page !== undefined) segment.page.fate.actionId = container.id
    actions.push(container)
  }
  return actions
}

/** Undefined where it does not fit the model; its fate tells why. */
function requestAction(request: HarRequest, sources: Sources): Action | undefined {
  const { context, options, parts } = sources
  const { first, hops } = request
  const { serverId, path, query, headers, body } = parts.partsOf(first)
  const isStream = isEventStream(request)
  const isTagged = request.kind === 'static' && options.resources === 'requests'
  const list = (sources.resources.get(request) ?? []).flatMap((each) => resource(each, sources) ?? [])
  const made = parsed(request, action, {
    type: 'http_request',
    id: context.newId('action'),
    name: `${isTagged ? '[static] ' : ''}${first.method} ${first.url.pathname}`.slice(0, 200),
    comment: isStream ? endlessStream : '',
    enabled: first.isVerified && !isStream,
    method: first.method,
    server_id: serverId,
    path,
    query,
    headers,
    body,
    redirects: { follow: request.follows, recorded: hops.map(({ recorded }) => recorded) },
    resources: { mode: list.length > 0 ? 'listed' : 'none', list },
    recorded: first.recorded,
    disabled_reason: first.isVerified ? null : whyDisabledIn(first),
  })
  // What was to come under a request that cannot be is not there either.
  if (made === undefined)
    for (const each of sources.resources.get(request) ?? [])
      drop(each, 'The request of the page that loaded it was dropped.')
  else settle(request, made.id)
  return made
}

function resource(request: HarRequest, sources: Sources): EmbeddedResource | undefined {
  const { first } = request
  const { serverId, headers } = sources.parts.partsOf(first)
  const made = parsed(request, embeddedResource, {
    id: sources.context.newId('action'),
    server_id: serverId,
    path: literal(`${first.url.pathname}${first.url.search}`),
    headers,
    enabled: first.isVerified,
    recorded: first.recorded,
  })
  if (made !== undefined) settle(request, made.id)
  return made
}

function socketAction(event: SocketEvent, sources: Sources): Action | undefined {
  const { draft, connection, what } = event
  const { fate } = draft
  const common = {
    type: 'websocket',
    operation: what.operation,
    id: sources.context.newId('action'),
    name: `${what.operation} ${draft.url.pathname}`.slice(0, 200),
    comment: draft.isVerified ? '' : whyDisabledIn(draft),
    enabled: draft.isVerified,
    connection,
  }
  const of = (made: Action | undefined, fates: readonly Fate[], notes: readonly string[] = []) => {
    for (const each of fates) {
      if (made === undefined) each.dropped = 'It is longer than a message can be here.'
      else {
        each.actionId = made.id
        each.notes.push(...notes, ...(draft.isVerified ? [] : [whyDisabledIn(draft)]))
      }
    }
    return made
  }
  if (what.operation === 'send')
    return of(checked(action, { ...common, format: what.format, message: literal(what.message) }), [
      what.fate,
    ])
  if (what.operation === 'expect') {
    const notes = ['Any message is waited for: say in the action what has to be in it.']
    return of(checked(action, common), what.fates, notes)
  }
  if (what.operation === 'close') return fate.dropped === null ? checked(action, common) : undefined
  const protocols = draft.headers.find(({ name }) => name.toLowerCase() === 'sec-websocket-protocol')?.value
  const made = checked(action, {
    ...common,
    server_id: sources.serverIdOf(draft),
    path: literal(`${draft.url.pathname}${draft.url.search}`),
    headers: sentHeaders(draft.headers, null).filter(({ name }) => name.toLowerCase() !== 'user-agent'),
    subprotocols: protocols?.split(',').map((protocol) => protocol.trim()) ?? [],
    recorded: draft.recorded,
  })
  if (made === undefined) fate.dropped = tooLarge
  else fate.actionId = made.id
  if (!draft.isVerified) fate.notes.push(whyDisabledIn(draft))
  return made
}

function delay(id: string, ms: number): Action {
  return action.parse({ type: 'delay', id, name: 'Think time', duration: { distribution: 'constant', ms } })
}

const endlessStream =
  'Disabled, because it is a stream of events, which ends when its page is left: a virtual user would wait for its end.'

const tooLarge = 'It is larger than a request can be here: too many or too long fields.'

function parsed<Made>(request: HarRequest, schema: Schema<Made>, value: unknown): Made | undefined {
  const made = checked(schema, value)
  if (made === undefined) drop(request, tooLarge)
  return made
}

interface Schema<Made> {
  safeParse: (value: unknown) => { success: true; data: Made } | { success: false }
}

function checked<Made>(schema: Schema<Made>, value: unknown): Made | undefined {
  const result = schema.safeParse(value)
  return result.success ? result.data : undefined
}

function drop({ first, hops }: HarRequest, why: string): void {
  for (const { fate } of [first, ...hops]) fate.dropped = why
}

/** Tells of the entries of a request which action they are in. */
function settle(request: HarRequest, actionId: string): void {
  const { first, hops, follows } = request
  for (const { fate } of [first, ...hops]) fate.actionId = actionId
  for (const draft of [first, ...hops]) if (!draft.isVerified) draft.fate.notes.push(whyDisabledIn(draft))
  if (isEventStream(request)) first.fate.notes.push(endlessStream)
  for (const { fate } of hops) fate.remarks.push(`It is the redirect that ${first.fate.place} follows.`)
  if (!follows) first.fate.remarks.push('The redirect was not followed in the recording, and is not here.')
  if (first.status === 304)
    first.fate.notes.push('The browser had it already; a virtual user asks for it as for the first time.')
  if (first.isFromServiceWorker)
    first.fate.notes.push('A service worker answered in the browser; here the server is asked.')
}

function whyDisabledIn({ url }: Draft): string {
  return whyUnverified(url.host, trackerOf(url.hostname))
}
