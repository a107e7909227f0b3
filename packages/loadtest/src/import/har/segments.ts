import { titleWithoutIds, withoutIds } from '../../text/ids.ts'
import type { ImportOptions } from '../importer.ts'
import type { Fate } from './draft.ts'
import { isEventStream, type HarRequest } from './har-request.ts'
import { findNavigations, pageIdOf } from './navigations.ts'
import { destinationOf } from './resource-kind.ts'
import type { SocketEvent } from './web-socket.ts'

export interface HarPage {
  id: string | null
  /** Empty where it says nothing of what was done there first. */
  title: string
  fate: Fate
}

/** What a container will hold. */
export interface Segment {
  name: string
  /** Of which it is the first. */
  page: HarPage | undefined
  steps: Step[]
}

/** One thing after the other, as the recording had them. */
export type Step = { kind: 'request'; request: HarRequest } | { kind: 'socket'; event: SocketEvent }

export function startOf(step: Step): number {
  return step.kind === 'request' ? step.request.startMs : step.event.startMs
}

/** Whether the virtual user waits for it: what is disabled takes no time. */
export function endOf(step: Step): number {
  if (step.kind === 'socket') return step.event.endMs
  const { request } = step
  return request.first.isVerified && !isEventStream(request) ? request.endMs : -Infinity
}

/** A stream of events ends when its page is left: nobody waits for it. */
function busyUntilOf(request: HarRequest): number {
  return isEventStream(request) ? request.startMs : request.endMs
}

/**
 * Divides what happened into containers: where the timeline says; else with each page that the browser told of, each way to
 * another page, and after each pause.
 * @param steps in the order of their times
 */
export function divide(
  steps: readonly Step[],
  pages: readonly HarPage[],
  { timeline, containerGapMs }: Pick<ImportOptions, 'timeline' | 'containerGapMs'>,
): Segment[] {
  const requests = steps.flatMap((step) => (step.kind === 'request' ? step.request : []))
  const navigations = findNavigations(requests)
  forgetTitles(pages, navigations)
  const isOwn = ownRequests(requests)
  const begin = marksOf(timeline) ?? pagesAndPauses(pages, { navigations, isOwn, gapMs: containerGapMs })
  const segments: Segment[] = []
  for (const step of steps) {
    const isFirst = segments.length === 0
    const begun = begin(step, segments.at(-1))
    if (begun !== undefined || isFirst)
      segments.push({ name: begun?.name ?? '', page: begun?.page, steps: [] })
    segments.at(-1)!.steps.push(step)
  }
  nameAll(segments, { navigations, isOwn, hasTimeline: timeline.length > 0 })
  return segments
}

/** Browsers have one page for all that is visited in a tab, if they do not know better, with the title that came last. */
function forgetTitles(pages: readonly HarPage[], navigations: ReadonlySet<HarRequest>): void {
  const visits = Map.groupBy(navigations, pageIdOf)
  for (const page of pages) if ((visits.get(page.id)?.length ?? 0) > 1) page.title = ''
}

type IsOwn = (request: HarRequest) => boolean

/** What belongs to the application: what goes to verified hosts; where there is none, to the host of the first page. */
function ownRequests(requests: readonly HarRequest[]): IsOwn {
  if (requests.some(({ first }) => first.isVerified)) return ({ first }) => first.isVerified
  const main = requests.find(({ kind }) => kind === 'document') ?? requests[0]
  return ({ first }) => first.url.host === main?.first.url.host
}

/** With what name a container begins at a step, if one does; an empty name is made of what is in it. */
type Begin = (
  step: Step,
  current: Segment | undefined,
) => { name: string; page: HarPage | undefined } | undefined

function marksOf(timeline: ImportOptions['timeline']): Begin | undefined {
  if (timeline.length === 0) return undefined
  const marks = timeline
    .map(({ at, name }) => ({ atMs: Date.parse(at), name }))
    .toSorted((a, b) => a.atMs - b.atMs)
  let next = 0
  return (step) => {
    let passed: string | undefined
    while (next < marks.length && marks[next]!.atMs <= startOf(step)) passed = marks[next++]!.name
    return passed === undefined ? undefined : { name: passed.slice(0, 200), page: undefined }
  }
}

function pagesAndPauses(
  pages: readonly HarPage[],
  { navigations, isOwn, gapMs }: { navigations: ReadonlySet<HarRequest>; isOwn: IsOwn; gapMs: number },
): Begin {
  const byId = new Map(pages.map((page) => [page.id, page]))
  const seen = new Set<string>()
  let busyUntil = -Infinity
  return (step, current) => {
    const pageId = step.kind === 'request' ? pageIdOf(step.request) : step.event.draft.pageId
    const page = pageId !== null && !seen.has(pageId) ? byId.get(pageId) : undefined
    if (pageId !== null) seen.add(pageId)
    const isOfApplication = step.kind === 'socket' || isOwn(step.request)
    const idleMs = startOf(step) - busyUntil
    if (isOfApplication)
      busyUntil = Math.max(busyUntil, step.kind === 'socket' ? step.event.endMs : busyUntilOf(step.request))
    const isVisit = step.kind === 'request' && navigations.has(step.request)
    // A frame of somebody else is no way to another page, and their counting of visitors no pause.
    if (page !== undefined || (isVisit && (isOfApplication || isTold(step))))
      return { name: page === undefined ? '' : shownTitle(page.title), page }
    const isAfterPause = idleMs >= gapMs && isOfApplication && isOfPerson(step, current)
    return isAfterPause ? { name: '', page: undefined } : undefined
  }
}

/** The browser itself says that it is no frame. */
function isTold(step: Step): boolean {
  return step.kind === 'request' && destinationOf(step.request.first) === 'document'
}

/** What may follow from something that a person did, and not from the page alone: as it is scrolled, it loads its images. */
function isOfPerson(step: Step, current: Segment | undefined): boolean {
  if (step.kind === 'socket') return step.event.what.operation === 'send'
  if (step.request.kind !== 'static') return true
  return current?.steps.every((each) => each.kind !== 'request' || each.request.kind === 'static') === true
}

/** Browsers that know no better write the address of the page. */
function shownTitle(title: string): string {
  return /^(?:https?:|about:|New Tab$)/i.test(title) ? '' : titleWithoutIds(title.trim())
}

/** Names all that have none: by the title of the page that came, else by the request; no two the same, apart from those that were given. */
function nameAll(
  segments: readonly Segment[],
  {
    navigations,
    isOwn,
    hasTimeline,
  }: { navigations: ReadonlySet<HarRequest>; isOwn: IsOwn; hasTimeline: boolean },
): void {
  const given = new Set(hasTimeline ? segments.filter(({ name }) => name !== '') : [])
  const names = new UniqueNames([...given].map(({ name }) => name))
  for (const segment of segments) {
    if (given.has(segment)) continue
    const requests = segment.steps.flatMap((step) => (step.kind === 'request' ? step.request : []))
    const main =
      requests.find((request) => navigations.has(request)) ??
      requests.find((request) => request.kind !== 'static' && isOwn(request)) ??
      requests[0]
    const title =
      segment.name ||
      (main !== undefined && navigations.has(main)
        ? shownTitle((main.hops.at(-1) ?? main.first).title ?? '')
        : '')
    const request =
      main === undefined ? 'WebSocket' : `${main.first.method} ${withoutIds(main.first.url.pathname)}`
    segment.name = names.free(title === '' ? [request] : [title, request])
  }
}

/** Names that each are there once. */
class UniqueNames {
  readonly #taken: Set<string>
  readonly #counts = new Map<string, number>()

  constructor(taken: Iterable<string>) {
    this.#taken = new Set(taken)
  }

  /** The first of them that is free, else the last with a number behind it. */
  free(wanted: readonly string[]): string {
    const cut = wanted.map((name) => name.slice(0, nameCharactersMax))
    const last = cut.at(-1) ?? ''
    let name = cut.find((each) => !this.#taken.has(each))
    while (name === undefined) {
      const count = (this.#counts.get(last) ?? 1) + 1
      this.#counts.set(last, count)
      const numbered = `${last} (${count})`
      if (!this.#taken.has(numbered)) name = numbered
    }
    this.#taken.add(name)
    return name
  }
}

/** With a number behind it, it is short enough for an action. */
const nameCharactersMax = 180
