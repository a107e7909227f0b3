import type { LiveSection } from './limits.ts'

/** Names that counters, levels, distributions and texts of a section may have, with the unit of each. */
export interface SectionNames {
  counters?: Readonly<Record<string, string>>
  levels?: Readonly<Record<string, string>>
  distributions?: Readonly<Record<string, 'ns' | 'bytes'>>
  texts?: readonly string[]
  /** Unit of `value` and meaning of `count` in its logs. */
  log?: { value?: string; count?: string }
}

/**
 * What each section says. `*`: any name, as the program has it. What a producer cannot tell it leaves out, and nobody takes that
 * for zero.
 */
export const sectionNames: Readonly<Record<LiveSection, SectionNames>> = {
  functions_timing: { counters: { failed: '' }, distributions: { duration: 'ns' }, log: { value: 'ns' } },
  // retained: what the function allocated and is still in use, as sampled.
  functions_alloc: {
    counters: { allocations: '' },
    levels: { retained: 'bytes' },
    distributions: { allocated: 'bytes' },
    log: { value: 'bytes', count: 'allocations' },
  },
  // kind: bounded[100], unbounded, oneshot, and what a Node.js program has: stream, message_port, queue. state: active, closed, full.
  channels: {
    counters: { sent: '', received: '' },
    levels: {
      queued: '',
      queued_max: '',
      capacity: '',
      queued_bytes: 'bytes',
      instances: '',
      closed_instances: '',
    },
    distributions: { delay: 'ns', processing: 'ns' },
    texts: ['type_name'],
    log: { value: 'ns' },
  },
  streams: {
    counters: { items: '' },
    levels: { instances: '', closed_instances: '' },
    texts: ['type_name'],
  },
  // Promises of a Node.js program, too. kind of a log entry: pending, running, suspended, ready, cancelled, of promises resolved, rejected; count: polls.
  futures: {
    counters: { calls: '', polls: '', completed: '', failed: '' },
    levels: { pending: '' },
    distributions: { poll: 'ns', poll_allocated: 'bytes', duration: 'ns' },
    log: { value: 'ns', count: 'polls' },
  },
  // One item for each thread; the item `process` says what is known of all of it. memory_limit: as much as it may have.
  threads: {
    counters: { cpu_user: 'ns', cpu_system: 'ns', allocated: 'bytes', freed: 'bytes' },
    levels: {
      cpu_percent: '%',
      cpu_percent_max: '%',
      rss: 'bytes',
      rss_max: 'bytes',
      memory_limit: 'bytes',
      heap_used: 'bytes',
      heap_total: 'bytes',
    },
  },
  // Of metrics of others, too. kind: gauge, counter, histogram, summary. added: what a counter counted. count, sum: of histograms
  // that measure neither durations nor sizes.
  gauges: {
    counters: { logged: '', added: '*', count: '', sum: '*' },
    levels: { value: '*' },
    distributions: { duration: 'ns', size: 'bytes' },
    texts: ['unit'],
    log: { value: '*' },
  },
  debug: { counters: { logged: '' }, texts: ['expression', 'last_value'] },
  values: { counters: { logged: '' }, texts: ['last_value'] },
  // Of Tokio: the item `runtime`, and `worker 0` and so on. Of Node.js: the item `event loop`, and one for each worker thread.
  runtime: { counters: { '*': '' }, levels: { '*': '' }, distributions: { delay: 'ns', gc_pause: 'ns' } },
  functions_cpu: { counters: { samples: '' } },
  // kind: mutex, rw_lock.
  locks: {
    distributions: {
      wait: 'ns',
      hold: 'ns',
      read_wait: 'ns',
      read_hold: 'ns',
      write_wait: 'ns',
      write_hold: 'ns',
    },
    texts: ['type_name'],
  },
  sql: { distributions: { duration: 'ns' }, texts: ['query', 'route'], log: { value: 'ns' } },
  // kind of a log entry: the status.
  http: { counters: { errors: '' }, distributions: { duration: 'ns' }, log: { value: 'ns' } },
  server: {
    counters: { status_4xx: '', status_5xx: '', sql: '', http: '' },
    distributions: { duration: 'ns', allocated: 'bytes' },
    log: { value: 'ns' },
  },
  io: {
    counters: { errors: '', read_bytes: 'bytes', written_bytes: 'bytes' },
    levels: { instances: '' },
    distributions: { read: 'ns', write: 'ns', flush: 'ns', shutdown: 'ns' },
    texts: ['type_name'],
  },
}
