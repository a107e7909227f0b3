import type { McpInside, McpReport } from '../report.ts'
import { formatBytes, formatMs, formatNumber, formatShare } from './format.ts'
import type { Table } from './table.ts'

/** Of the largest; a report may have more. */
const rowsMax = 15
/** Of a stack, the innermost functions. */
const framesMax = 4

/** What was seen inside of the server. */
export function insideTables({ inside, load, profiles }: McpReport, topFunctions = rowsMax): Table[] {
  if (inside === null) return []
  return [
    functionTable(inside, topFunctions),
    pathTable(inside),
    heapTable(inside),
    collectionTable(inside),
    eventLoopTable(inside),
    allocationTable(inside, load?.started ?? 0),
    measureTable(inside),
    { title: 'Files', columns: ['kind', 'where'], rows: profiles.map(({ kind, path }) => [kind, path]) },
  ]
}

function functionTable({ hotFunctions }: McpInside, count: number): Table {
  return {
    title: 'Functions with most time of their own',
    columns: ['function', 'self', 'self ms', 'with what it calls', 'where'],
    rows: hotFunctions
      .slice(0, count)
      .map(({ name, selfShare, selfMs, totalShare, place }) => [
        name,
        formatShare(selfShare),
        formatMs(selfMs),
        formatShare(totalShare),
        shortPlace(place),
      ]),
  }
}

function pathTable({ hotPaths = [] }: McpInside): Table {
  return {
    title: 'Hot paths',
    columns: ['path, innermost last', 'share'],
    rows: hotPaths
      .slice(0, rowsMax)
      .map(({ functions, share }) => [
        `${functions.length > framesMax ? '… → ' : ''}${functions.slice(-framesMax).join(' → ')}`,
        formatShare(share),
      ]),
  }
}

function heapTable({ heap }: McpInside): Table {
  const bytes = heap.filter(({ isAfterGc }) => !isAfterGc).map(({ heapUsedBytes }) => heapUsedBytes)
  const [first, last] = [bytes[0], bytes.at(-1)]
  return {
    title: 'Heap, with what is not collected yet',
    columns: ['samples', 'least', 'largest', 'first', 'last'],
    rows:
      first === undefined || last === undefined
        ? []
        : [
            [
              formatNumber(bytes.length),
              ...[Math.min(...bytes), Math.max(...bytes), first, last].map(formatBytes),
            ],
          ],
  }
}

function collectionTable({ gc }: McpInside): Table {
  const columns = ['kind', 'count', 'ms', 'share of the time', 'longest ms']
  const title = 'Garbage collections'
  if (gc === null) return { title, columns, rows: [] }
  return {
    title,
    columns,
    rows: [
      ...Object.entries(gc.byKind).map(([kind, { count, totalMs }]) => [
        kind,
        formatNumber(count),
        formatMs(totalMs),
        formatShare(gc.totalMs === 0 ? 0 : (gc.share * totalMs) / gc.totalMs),
        '',
      ]),
      ['all', formatNumber(gc.count), formatMs(gc.totalMs), formatShare(gc.share), formatMs(gc.maxMs)],
    ],
  }
}

function eventLoopTable({ eventLoopDelay }: McpInside): Table {
  return {
    title: 'Delay of the event loop',
    columns: ['mean ms', 'p99', 'max'],
    rows:
      eventLoopDelay === null
        ? []
        : [[eventLoopDelay.meanMs, eventLoopDelay.p99Ms, eventLoopDelay.maxMs].map(formatMs)],
  }
}

function allocationTable({ allocations = [] }: McpInside, calls: number): Table {
  return {
    title: 'Functions that allocate most, by samples',
    columns: ['function', 'share', 'bytes', 'each call', 'where'],
    rows: allocations
      .slice(0, rowsMax)
      .map(({ name, bytes, share, place }) => [
        name,
        formatShare(share),
        formatBytes(bytes),
        formatBytes(calls === 0 ? null : bytes / calls),
        shortPlace(place),
      ]),
  }
}

function measureTable({ measures = [] }: McpInside): Table {
  return {
    title: 'Marks and measures of the program (perf_hooks)',
    columns: ['name', 'count', 'mean ms', 'longest'],
    rows: measures
      .toSorted((a, b) => b.totalMs - a.totalMs)
      .slice(0, rowsMax)
      .map(({ name, count, totalMs, maxMs }) => [
        name,
        formatNumber(count),
        formatMs(totalMs / Math.max(1, count)),
        formatMs(maxMs),
      ]),
  }
}

/** Of a package what comes after its folder, else the last of the path. */
function shortPlace(place: string): string {
  const parts = place.split('/')
  const own = parts.slice(parts.lastIndexOf('node_modules') + 1)
  return own.length > 4 ? `…/${own.slice(-3).join('/')}` : own.join('/')
}
