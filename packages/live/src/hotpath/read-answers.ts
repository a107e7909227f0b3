import { liveSections, type LiveSection } from '../limits.ts'
import { plainText } from '../plain-text.ts'
import type { LivePush } from '../push.ts'
import { readDebug } from './debug-entries.ts'
import { bytesOf, isFields, nsOf, numberOf, textOf, type Fields } from './fields.ts'
import { readChannels, readDataFlow, readFutures, readStreams } from './flows.ts'
import type { Found } from './found.ts'
import { readFunctionsAlloc, readFunctionsCpu, readFunctionsTiming } from './functions.ts'
import { readMutexes, readRwLocks } from './locks.ts'
import { readHttp, readIo, readServer, readSql } from './requests.ts'
import { readThreads, readTokioRuntime } from './threads.ts'

/** What a metrics server of hotpath-rs answered, its body read as JSON where it is that. */
export interface HotpathAnswer {
  status: number
  body: unknown
}

interface Route {
  sections: readonly LiveSection[]
  read: (body: Fields) => Found[]
}

/** Every path of any generation that lists something, and `/profiler_status`. What a server does not have it answers with 404. */
const routes: Readonly<Record<string, Route>> = {
  '/functions_timing': { sections: ['functions_timing'], read: readFunctionsTiming },
  '/functions_alloc': { sections: ['functions_alloc'], read: readFunctionsAlloc },
  '/functions_cpu': { sections: ['functions_cpu'], read: readFunctionsCpu },
  '/channels': { sections: ['channels'], read: readChannels },
  '/streams': { sections: ['streams'], read: readStreams },
  '/futures': { sections: ['futures'], read: readFutures },
  '/data_flow': { sections: ['channels', 'streams', 'futures'], read: readDataFlow },
  '/threads': { sections: ['threads'], read: readThreads },
  '/debug': { sections: ['debug', 'values', 'gauges'], read: readDebug },
  '/tokio_runtime': { sections: ['runtime'], read: readTokioRuntime },
  '/rw_locks': { sections: ['locks'], read: readRwLocks },
  '/mutexes': { sections: ['locks'], read: readMutexes },
  '/sql': { sections: ['sql'], read: readSql },
  '/http': { sections: ['http'], read: readHttp },
  '/server': { sections: ['server'], read: readServer },
  '/io': { sections: ['io'], read: readIo },
}

const statusPath = '/profiler_status'

/** To be asked for, in this order. */
export const hotpathPaths: readonly string[] = [statusPath, ...Object.keys(routes)]

/** What the answers of one round say. */
export interface HotpathReading {
  sections: NonNullable<LivePush['sections']>
  /** Items that have logs, and where. */
  logs: { section: LiveSection; item: string; path: string; moved: number }[]
  /** Since the program began to measure. */
  elapsedMs: number | undefined
  pid: number | undefined
  /** Function, or program, that all of it is measured in. */
  caller: string | undefined
  /** Generation of hotpath-rs, as far as its answers show it. */
  era: string | undefined
}

/** Reads the answers of one round, by path. Which generation answered shows in what is there, never in a version. */
export function readHotpathAnswers(answers: ReadonlyMap<string, HotpathAnswer>): HotpathReading {
  const bodies = new Map<string, Fields>()
  for (const [path, { status, body }] of answers)
    if (status >= 200 && status < 300 && isFields(body)) bodies.set(path, body)
  const found = Object.entries(routes).flatMap(([path, { read }]) => {
    const body = bodies.get(path)
    return body === undefined ? [] : read(body)
  })
  const told = liveSections.filter((section) => pathsOf(section).some((path) => answers.has(path)))
  const status = bodies.get(statusPath) ?? {}
  return {
    sections: Object.fromEntries(
      told.map((section) => [section, sectionOf(section, answers, bodies, found)]),
    ),
    logs: found.flatMap(({ section, item, log }) =>
      log === undefined ? [] : [{ section, item: item.id, ...log }],
    ),
    elapsedMs: elapsedMsOf([...bodies.values()]),
    pid: numberOf(status, 'pid'),
    caller: [...bodies.values()].flatMap((body) => textOf(body, 'caller_name') ?? [])[0],
    era: eraOf(bodies),
  }
}

function pathsOf(section: LiveSection): string[] {
  return Object.entries(routes).flatMap(([path, { sections }]) => (sections.includes(section) ? [path] : []))
}

function sectionOf(
  section: LiveSection,
  answers: ReadonlyMap<string, HotpathAnswer>,
  bodies: ReadonlyMap<string, Fields>,
  found: readonly Found[],
): NonNullable<HotpathReading['sections'][LiveSection]> {
  const paths = pathsOf(section)
  const read = paths.map((path) => bodies.get(path)).filter((body) => body !== undefined)
  if (read.length === 0)
    return missing(paths.map((path) => answers.get(path)).filter((answer) => answer !== undefined))
  const failure = read.find((body) => body['status'] === 'error')
  if (failure !== undefined) return { status: 'failed', reason: textOf(failure, 'error')?.slice(0, 1000) }
  const items = found.filter((each) => each.section === section).map(({ item }) => item)
  const leftOut = read.reduce((sum, body) => {
    const [total, included] = [numberOf(body, 'total_count'), numberOf(body, 'included_count')]
    return sum + (total === undefined || included === undefined ? 0 : Math.max(0, total - included))
  }, 0)
  return { status: 'on', items, ...(leftOut === 0 ? {} : { left_out: leftOut }) }
}

/** A section that is not there is not measured; only what went wrong has failed. */
function missing(answers: readonly HotpathAnswer[]): NonNullable<HotpathReading['sections'][LiveSection]> {
  const failed = answers.find(({ status }) => status !== 404)
  // A path that only other generations have says nothing of why.
  const reasons = answers.map(({ body }) => reasonOf(body)).filter((reason) => reason !== undefined)
  const reason = reasons.find((each) => each !== 'Not found') ?? 'This version of hotpath does not tell it.'
  if (failed === undefined) return { status: 'off', reason }
  return { status: 'failed', reason: reasonOf(failed.body) ?? `It answered ${failed.status}.` }
}

/** JSON with `error`, or plain text. */
function reasonOf(body: unknown): string | undefined {
  const text = isFields(body) ? textOf(body, 'error') : typeof body === 'string' ? body.trim() : ''
  return text === undefined || text === '' ? undefined : plainText(text, 1000)
}

function elapsedMsOf(bodies: readonly Fields[]): number | undefined {
  const elapsed = bodies.flatMap((body) => {
    // In the first generation, the total of a list of allocations is bytes.
    const isBytes =
      body['hotpath_profiling_mode'] === 'alloc' || bytesOf(body, 'total_allocated') !== undefined
    return (
      numberOf(body, 'current_elapsed_ns', 'total_elapsed_ns') ??
      (isBytes ? undefined : numberOf(body, 'total_elapsed')) ??
      nsOf(body, 'uptime') ??
      []
    )
  })
  return elapsed.length === 0 ? undefined : Math.max(...elapsed) / 1e6
}

function eraOf(bodies: ReadonlyMap<string, Fields>): string | undefined {
  if (['/rw_locks', '/mutexes', '/sql', '/http', '/server', '/io'].some((path) => bodies.has(path)))
    return '4'
  if (bodies.has('/data_flow')) return '2'
  const channels = bodies.get('/channels')
  if (channels !== undefined && Array.isArray(channels['data'])) return '3'
  const timing = bodies.get('/functions_timing')
  if (channels !== undefined || typeof timing?.['total_elapsed'] === 'number') return '1'
  return undefined
}
