import { bytesOf, listOf, numberOf, percentOf, textOf, type Fields } from './fields.ts'
import { entriesOf, known, wordOf, type Found } from './found.ts'

export function readThreads(body: Fields): Found[] {
  const threads = entriesOf(body, 'threads')
  const process: Found = {
    section: 'threads',
    item: {
      id: 'process',
      name: 'process',
      counters: known({
        allocated: bytesOf(body, 'total_alloc_bytes') ?? sumOf(threads, 'alloc_bytes'),
        freed: bytesOf(body, 'total_dealloc_bytes') ?? sumOf(threads, 'dealloc_bytes'),
      }),
      levels: known({ rss: bytesOf(body, 'rss_bytes'), rss_max: bytesOf(body, 'rss_bytes_max') }),
    },
  }
  return [process, ...threads.map(threadOf)]
}

function threadOf(entry: Fields): Found {
  const id = textOf(entry, 'os_tid') ?? '?'
  return {
    section: 'threads',
    item: {
      id,
      name: wordOf(entry, 'name') ?? id,
      state: wordOf(entry, 'status'),
      counters: known({
        cpu_user: secondsOf(entry, 'cpu_user'),
        cpu_system: secondsOf(entry, 'cpu_sys'),
        allocated: bytesOf(entry, 'alloc_bytes'),
        freed: bytesOf(entry, 'dealloc_bytes'),
      }),
      levels: known({
        cpu_percent: percentOf(entry, 'cpu_percent'),
        cpu_percent_max: percentOf(entry, 'cpu_percent_max'),
      }),
    },
  }
}

/** As nanoseconds. */
function secondsOf(entry: Fields, name: string): number | undefined {
  const seconds = numberOf(entry, name)
  return seconds === undefined ? undefined : Math.round(seconds * 1e9)
}

function sumOf(threads: readonly Fields[], name: string): number | undefined {
  const values = threads.flatMap((thread) => bytesOf(thread, name) ?? [])
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0)
}

/** What Tokio tells that only grows; everything else stands as it stands. */
const counters = new Set([
  'spawned_tasks_count',
  'remote_schedule_count',
  'io_driver_fd_registered_count',
  'io_driver_fd_deregistered_count',
  'io_driver_ready_count',
  'park_count',
  'busy_duration_ms',
  'poll_count',
  'steal_count',
  'steal_operations',
  'overflow_count',
])

export function readTokioRuntime(body: Fields): Found[] {
  const workers = listOf(body, 'workers').map((worker, position) =>
    runtimeItem(`worker ${textOf(worker, 'index') ?? position}`, worker),
  )
  return [runtimeItem('runtime', body), ...workers]
}

function runtimeItem(name: string, fields: Fields): Found {
  const numbers = Object.keys(fields).filter((key) => key !== 'index' && typeof fields[key] === 'number')
  const part = (isCounter: boolean) =>
    known(
      Object.fromEntries(
        numbers.filter((key) => counters.has(key) === isCounter).map((key) => [key, numberOf(fields, key)]),
      ),
    )
  return {
    section: 'runtime',
    item: { id: name, name, kind: 'tokio', counters: part(true), levels: part(false) },
  }
}
