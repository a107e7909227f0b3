import type { ImportOptions } from '../importer.ts'
import type { Fate } from './draft.ts'
import type { HarRequest } from './har-request.ts'
import { isNavigation } from './resource-kind.ts'
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
  return step.request.first.isVerified ? step.request.endMs : -Infinity
}

/**
 * Divides what happened into containers: where the timeline says; else with each page, each visit that the browser told of, and
 * after each pause.
 * @param steps in the order of their times
 */
export function divide(
  steps: readonly Step[],
  pages: readonly HarPage[],
  { timeline, containerGapMs }: Pick<ImportOptions, 'timeline' | 'containerGapMs'>,
): Segment[] {
  const segments: Segment[] = []
  const begin = marksOf(timeline) ?? pagesAndPauses(pages, containerGapMs)
  for (const step of steps) {
    const isFirst = segments.length === 0
    const begun = begin(step, segments.at(-1))
    if (begun !== undefined || isFirst)
      segments.push({ name: begun?.name ?? '', page: begun?.page, steps: [] })
    segments.at(-1)!.steps.push(step)
  }
  for (const segment of segments) if (segment.name === '') segment.name = nameOfSteps(segment.steps)
  return segments
}

/** Says with what name a container begins at a step, if one does; an empty name is made of what is in it. */
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

function pagesAndPauses(pages: readonly HarPage[], gapMs: number): Begin {
  const byId = new Map(pages.map((page) => [page.id, page]))
  const seen = new Set<string>()
  let busyUntil = -Infinity
  return (step, current) => {
    const { pageId } = step.kind === 'request' ? step.request.first : step.event.draft
    const page = pageId !== null && !seen.has(pageId) ? byId.get(pageId) : undefined
    if (pageId !== null) seen.add(pageId)
    const idleMs = startOf(step) - busyUntil
    busyUntil = Math.max(busyUntil, endOf(step))
    if (page !== undefined) return { name: titleOf(page), page }
    if (current === undefined || !isOfPerson(step)) return undefined
    return isVisit(step) || idleMs >= gapMs ? { name: '', page: undefined } : undefined
  }
}

/** What may follow from something that a person did, and not from the page alone. */
function isOfPerson(step: Step): boolean {
  if (step.kind === 'socket') return step.event.what.operation === 'send'
  return step.request.first.isVerified && step.request.kind !== 'static'
}

function isVisit(step: Step): boolean {
  return step.kind === 'request' && isNavigation(step.request.first)
}

/** Browsers that know no better write the address of the page. */
function titleOf({ title }: HarPage): string {
  return /^(?:https?:|about:|New Tab$)/i.test(title) ? '' : title.slice(0, 200)
}

function nameOfSteps(steps: readonly Step[]): string {
  const requests = steps.filter((step) => step.kind === 'request').map(({ request }) => request)
  const main = requests.find(({ kind, first }) => kind !== 'static' && first.isVerified) ?? requests[0]
  return main === undefined ? 'WebSocket' : `${main.first.method} ${main.first.url.pathname}`.slice(0, 200)
}
