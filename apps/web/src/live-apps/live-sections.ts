import { type AnswerOf, operations } from '@flamegate/contract'

const resources = operations.liveResources

/** The sections of a live app as pages tell them: which call tells it, and which its log. */
export const liveSections = [
  {
    id: 'functions_timing',
    title: 'Functions',
    summary: operations.functionsTiming,
    logs: operations.functionTimingLogs,
    item: 'function_id',
  },
  {
    id: 'functions_alloc',
    title: 'Allocations',
    summary: operations.functionsAlloc,
    logs: operations.functionAllocLogs,
    item: 'function_id',
  },
  {
    id: 'channels',
    title: 'Channels',
    summary: operations.channels,
    logs: operations.channelLogs,
    item: 'channel_id',
  },
  {
    id: 'streams',
    title: 'Streams',
    summary: operations.streams,
    logs: operations.streamLogs,
    item: 'stream_id',
  },
  {
    id: 'futures',
    title: 'Futures',
    summary: operations.futures,
    logs: operations.futureLogs,
    item: 'future_id',
  },
  { id: 'threads', title: 'Threads', summary: operations.threads },
  { id: 'gauges', title: 'Gauges', summary: operations.gauges, logs: operations.gaugeLogs, item: 'gauge_id' },
  { id: 'debug', title: 'Debug', summary: operations.dbgEntries, logs: operations.dbgLogs, item: 'debug_id' },
  {
    id: 'values',
    title: 'Values',
    summary: operations.valEntries,
    logs: operations.valLogs,
    item: 'debug_id',
  },
  { id: 'runtime', title: 'Runtime', summary: operations.tokioRuntime },
  { id: 'sql', title: 'SQL', summary: resources, logs: resources, item: 'item_id' },
  { id: 'http', title: 'HTTP calls', summary: resources, logs: resources, item: 'item_id' },
  { id: 'server', title: 'Server', summary: resources, logs: resources, item: 'item_id' },
  { id: 'locks', title: 'Locks', summary: resources },
  { id: 'io', title: 'I/O', summary: resources },
  { id: 'functions_cpu', title: 'CPU samples', summary: resources },
] as const

export type LiveSectionView = (typeof liveSections)[number]

/** `live_resources` tells several sections, and is asked for one of them. */
export function sectionInput({ id, summary }: LiveSectionView): Record<string, string> {
  return summary.id === resources.id ? { section: id } : {}
}

/** Not each is asked for a time, or has so many rows that some have to be chosen. */
const notTaken: Partial<Record<LiveSectionView['id'], readonly string[]>> = {
  gauges: ['last_seconds'],
  debug: ['last_seconds'],
  values: ['last_seconds'],
  runtime: ['limit', 'filter'],
}

/** Of what a table is asked for, as much as its call takes. */
export function summaryInput(
  section: LiveSectionView,
  asked: Readonly<Record<string, string | number | undefined>>,
): Record<string, string | number> {
  const taken = Object.entries(asked).flatMap(([name, value]) =>
    value === undefined || notTaken[section.id]?.includes(name) === true ? [] : [[name, value] as const],
  )
  return { ...Object.fromEntries(taken), ...sectionInput(section) }
}

/** The sections that the newest process tells; undefined while nothing is known of it. */
export function toldSections(
  status: AnswerOf<typeof operations.profilerStatus> | undefined,
): ReadonlySet<string> | undefined {
  if (status === undefined) return undefined
  const sections = status.processes[0]?.sections ?? []
  return new Set(sections.flatMap(({ name, status: state }) => (state === 'on' ? [name] : [])))
}

/** What a section is called on pages. */
export function sectionTitle(section: string): string {
  return liveSections.find(({ id }) => id === section)?.title ?? section
}
