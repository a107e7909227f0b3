import type { HotpathAnswer } from '../read-answers.ts'

/**
 * Answers of the metrics server of one made-up program in each generation of hotpath-rs. Made by hand after what is known of the
 * routes and fields of each, not recorded: generation 1 has raw numbers, later ones formatted texts; 2 has channels, streams and
 * futures in one list; 4 adds locks, SQL, HTTP and I/O.
 */

export type Generation = '1' | '2' | '3' | '4'
export const generations: readonly Generation[] = ['1', '2', '3', '4']

const location = { file: 'src/main.rs', line: 20, column: 5 }
const noMemory = 'Memory profiling not available - enable hotpath-alloc feature'

/** All paths that answer 200, with their bodies, after the program made so many calls in so many seconds. */
export function programBodies(
  generation: Generation,
  calls: number,
  seconds: number,
): Record<string, unknown> {
  return generation === '1' ? rawBodies(calls, seconds) : formattedBodies(generation, calls, seconds)
}

/** What the server answers: 404 in its own words where it has nothing. */
export function answerOf(
  generation: Generation,
  bodies: Record<string, unknown>,
  path: string,
): HotpathAnswer {
  if (Object.hasOwn(bodies, path)) return { status: 200, body: bodies[path] }
  const reason = path === '/functions_alloc' ? noMemory : 'Not found'
  return { status: 404, body: generation === '1' ? reason : { error: reason } }
}

/** When an entry was, since the program began, and in which thread. */
const stamp = (ms: number) => ({ timestamp: `${ms.toFixed(2)} ms`, ago: 'now', thread_id: 4711 })

const lastOf = (calls: number) =>
  Array.from({ length: Math.min(calls, 3) }, (_, index) => calls - Math.min(calls, 3) + index + 1)

function rawBodies(calls: number, seconds: number): Record<string, unknown> {
  const elapsed = seconds * 1e9
  const name = Buffer.from('shop::pay').toString('base64')
  const common = { source: 'src/main.rs:40', has_custom_label: true }
  return {
    '/functions_timing': {
      hotpath_profiling_mode: 'timing',
      total_elapsed: elapsed,
      description: 'Function execution time metrics.',
      caller_name: 'shop::main',
      data: [
        { name: 'shop::pay', calls, avg: 2e6, p95: 6_200_000, total: calls * 2e6, percent_total: 2540 },
        { name: 'shop::idle', calls: 0, avg: null, p95: null, total: null, percent_total: null },
      ],
    },
    // The newest first, and without numbers.
    [`/functions_timing/${name}/logs`]: {
      function_name: 'shop::pay',
      count: calls,
      logs: lastOf(calls)
        .toReversed()
        .map((call) => ({
          value: 2e6 + call,
          elapsed_nanos: call * 1e6,
          alloc_count: null,
          tid: 4711,
          result: `Ok(${call})`,
        })),
    },
    '/channels': {
      current_elapsed_ns: elapsed,
      channels: [
        {
          ...common,
          id: 0,
          label: 'jobs',
          channel_type: 'bounded[100]',
          state: 'active',
          sent_count: calls,
          received_count: calls - 2,
          queued: 2,
          type_name: 'Job',
          type_size: 24,
          queued_bytes: 48,
          iter: 0,
        },
      ],
    },
    '/channels/0/logs': {
      id: '0',
      sent_logs: lastOf(calls).map((index) => ({
        index,
        timestamp: index * 1e6,
        message: `"job-${index}"`,
        tid: 4711,
      })),
      received_logs: lastOf(calls - 2).map((index) => ({
        index,
        timestamp: index * 1e6 + 4000,
        message: null,
        tid: 4712,
      })),
    },
    '/streams': {
      current_elapsed_ns: elapsed,
      streams: [
        {
          ...common,
          id: 0,
          label: 'ticks',
          state: 'active',
          items_yielded: 7,
          type_name: 'u64',
          type_size: 8,
          iter: 1,
        },
      ],
    },
    '/futures': {
      current_elapsed_ns: elapsed,
      futures: [{ ...common, id: 0, label: 'fetch', call_count: 2, total_polls: 15 }],
    },
    '/futures/0/calls': {
      id: '0',
      calls: [
        { id: 0, future_id: 0, state: 'ready', poll_count: 3, result: 'Ok(7)' },
        { id: 1, future_id: 0, state: calls > 100 ? 'ready' : 'suspended', poll_count: 12, result: null },
      ],
    },
    '/threads': {
      current_elapsed_ns: elapsed,
      sample_interval_ms: 250,
      threads: [
        {
          os_tid: 4711,
          name: 'main',
          status: 'Sleeping',
          status_code: 'S',
          cpu_user: 0.02,
          cpu_sys: 0.01,
          cpu_total: 0.03,
          cpu_percent: 1.2,
          alloc_bytes: 2048,
          dealloc_bytes: 1024,
          mem_diff: 1024,
        },
      ],
      thread_count: 1,
      rss_bytes: 1_048_576,
    },
  }
}

function formattedBodies(generation: Generation, calls: number, seconds: number): Record<string, unknown> {
  const elapsed = { current_elapsed_ns: seconds * 1e9 }
  const counted = generation === '4' ? { total_count: 3, included_count: 1 } : {}
  const isFlow = generation === '2'
  const flow = (kind: string) => (isFlow ? `/data_flow/${kind}` : `/${kind}s`)
  const common = { source: 'src/main.rs:40', has_custom_label: true, ...(isFlow ? {} : { location }) }
  return {
    '/profiler_status': { uptime: `${seconds.toFixed(2)} s`, pid: 31_337 },
    '/functions_timing': {
      profiling_mode: 'timing',
      time_elapsed: `${seconds.toFixed(2)} s`,
      total_elapsed_ns: seconds * 1e9,
      description: 'Function execution time metrics.',
      caller_name: 'shop::main',
      percentiles: [95],
      data: [
        {
          id: 0,
          name: 'shop::pay',
          calls,
          ...(generation === '4' ? { sampled_calls: calls / 2 } : {}),
          avg: '2.00 ms',
          p95: '6.20 ms',
          total: `${(calls * 2).toFixed(2)} ms`,
          percent_total: '25.40%',
          location,
        },
        { id: 1, name: 'shop::idle', calls: 0, avg: 'N/A', p95: 'N/A', total: 'N/A', percent_total: 'N/A' },
      ],
      ...counted,
    },
    '/functions_timing/0/logs': {
      function_name: 'shop::pay',
      total_invocations: calls,
      logs: lastOf(calls).map((invocation) => ({
        invocation,
        duration: '2.00 ms',
        ...stamp(invocation),
        result: `Ok(${invocation})`,
      })),
    },
    ...(isFlow
      ? {
          '/data_flow': {
            ...elapsed,
            entries: [
              {
                ...common,
                id: 0,
                data_flow_type: 'channel',
                label: 'jobs',
                state: 'active',
                subtype: 'bounded[100]',
                primary_count: calls,
                secondary_count: calls - 2,
                queue: '2/100',
                queue_mem: '48 B',
                type_name: 'Job',
              },
              {
                ...common,
                id: 1,
                data_flow_type: 'stream',
                label: 'ticks',
                state: 'active',
                primary_count: 7,
                type_name: 'u64',
                iter: 1,
              },
              {
                ...common,
                id: 2,
                data_flow_type: 'future',
                label: 'fetch',
                state: 'active',
                primary_count: 2,
                secondary_count: 15,
              },
            ],
          },
        }
      : {
          '/channels': {
            ...elapsed,
            percentiles: [95],
            data: [
              {
                ...common,
                id: 0,
                label: 'jobs',
                channel_type: 'bounded[100]',
                state: 'active',
                instances: 1,
                closed_instances: 0,
                sent_count: calls,
                received_count: calls - 2,
                type_name: 'Job',
                type_size: 24,
                queue_size: 2,
                max_queue_size: 9,
                delay_avg: '4.0 µs',
                delay_percentiles: { p95: '91.0 µs' },
                delay_sampled_count: 5,
                iter: 0,
              },
            ],
          },
          '/streams': {
            ...elapsed,
            data: [
              {
                ...common,
                id: 1,
                label: 'ticks',
                state: 'active',
                instances: 1,
                closed_instances: 0,
                items_yielded: 7,
                type_name: 'u64',
                iter: 1,
              },
            ],
          },
          '/futures': {
            ...elapsed,
            data: [
              {
                ...common,
                id: 2,
                label: 'fetch',
                call_count: 2,
                total_polls: 15,
                sampled_polls: 5,
                total_poll_duration_ns: 1000,
                total_poll_alloc_bytes: null,
              },
            ],
          },
        }),
    [`${flow('channel')}/0/logs`]: {
      id: '0',
      sent_logs: lastOf(calls).map((index) => ({
        index,
        delay: index === calls ? null : '4.0 µs',
        message: `"job-${index}"`,
        ...stamp(index),
      })),
      received_logs: lastOf(calls - 2).map((index) => ({ index, message: null, ...stamp(index + 0.01) })),
    },
    [`${flow('stream')}/1/logs`]: { id: '1', logs: [{ index: 7, message: '7', ...stamp(3) }] },
    [`${flow('future')}/2/logs`]: {
      id: '2',
      calls: [
        { id: 0, future_id: 2, state: 'ready', poll_count: 3, total_poll_duration_ns: 700, result: 'Ok(7)' },
        { id: 1, future_id: 2, state: calls > 100 ? 'ready' : 'suspended', poll_count: 12, result: null },
      ],
    },
    '/threads': {
      ...elapsed,
      sample_interval_ms: 250,
      thread_count: 1,
      rss_bytes: '1.0 MB',
      total_alloc_bytes: '2.0 KB',
      total_dealloc_bytes: '1.0 KB',
      data: [
        {
          os_tid: 4711,
          name: 'main',
          status: 'Sleeping',
          status_code: 'S',
          cpu_percent: '1.2%',
          cpu_percent_max: '1.3%',
          cpu_percent_avg: 'N/A',
          alloc_bytes: '2.0 KB',
          dealloc_bytes: '1.0 KB',
          mem_diff: '1.0 KB',
        },
      ],
    },
    '/debug': {
      ...elapsed,
      entries: [
        {
          id: 0,
          entry_type: 'dbg',
          source: 'src/main.rs:61',
          expression: 'state',
          log_count: 12,
          last_value: 'Ready',
        },
        { id: 1, entry_type: 'val', source: 'depth', expression: 'depth', log_count: 3, last_value: '17' },
        {
          id: 2,
          entry_type: 'gauge',
          source: 'open',
          expression: 'open',
          log_count: calls,
          last_value: '42.5',
        },
      ],
    },
    '/debug/dbg/0/logs': {
      source: 'src/main.rs:61',
      expression: 'state',
      total_logs: 12,
      logs: [{ index: 12, value: 'Ready', ...stamp(4) }],
    },
    '/debug/val/1/logs': { key: 'depth', total_logs: 3, logs: [{ index: 3, value: '17', ...stamp(4) }] },
    '/debug/gauge/2/logs': {
      key: 'open',
      total_logs: calls,
      logs: lastOf(calls).map((index) => ({ index, value: `${index}`, ...stamp(index) })),
    },
    '/tokio_runtime': {
      num_workers: 1,
      num_alive_tasks: 37,
      global_queue_depth: 0,
      workers: [{ index: 0, park_count: 900, busy_duration_ms: 4200 }],
      spawned_tasks_count: 90,
    },
    ...(generation === '4' ? newestBodies(elapsed, calls) : {}),
  }
}

function newestBodies(elapsed: object, calls: number): Record<string, unknown> {
  const named = {
    source: 'src/cache.rs:14',
    label: 'cache',
    has_custom_label: true,
    type_name: 'Vec<u8>',
    location,
    iter: 0,
  }
  const request = {
    count: calls,
    avg: '1.00 ms',
    total: `${calls.toFixed(2)} ms`,
    percent_total: '100.00%',
    percentiles: { p95: '6.00 ms' },
  }
  const query = "SELECT * FROM users WHERE mail = 'ada@example.org' AND age > 41"
  return {
    '/mutexes': {
      ...elapsed,
      data: [
        {
          ...named,
          id: 0,
          count: 100,
          sampled_count: 50,
          wait_avg: '52.00 µs',
          acquire_avg: '1.90 µs',
          wait_percentiles: { p95: '910.00 µs' },
          acquire_percentiles: { p95: '7.00 µs' },
        },
      ],
    },
    '/rw_locks': {
      ...elapsed,
      data: [
        {
          ...named,
          id: 0,
          read_count: 500,
          write_count: 20,
          read_wait_avg: '300 ns',
          write_wait_avg: '61.00 µs',
          read_acquire_avg: '900 ns',
          write_acquire_avg: '8.00 µs',
          read_wait_percentiles: { p95: '2.00 µs' },
        },
      ],
    },
    '/sql': {
      ...elapsed,
      total_calls: calls,
      data: [{ id: 0, query, source: 'shop::db', route: 'GET /users', ...request, location }],
    },
    '/sql/0/logs': { id: '0', logs: [{ index: calls, duration: '1.00 ms', query, ...stamp(5) }] },
    '/http': { ...elapsed, data: [{ id: 0, endpoint: 'GET api.example.org', errors: 3, ...request }] },
    '/http/0/logs': { id: '0', logs: [{ index: calls, duration: '1.00 ms', status: 'error', ...stamp(5) }] },
    '/server': {
      ...elapsed,
      total_alloc_bytes: '1.0 MB',
      data: [
        {
          id: 0,
          route: 'GET /users/{id}',
          status_4xx: 2,
          status_5xx: 1,
          sql_per_request: 1.5,
          ...request,
          alloc: { total_bytes: 4096, avg: '1.0 KB', total: '4.0 KB', percentiles: { p95: '2.0 KB' } },
        },
      ],
    },
    '/server/0/logs': { id: '0', logs: [{ index: calls, duration: '1.00 ms', status: '200', ...stamp(5) }] },
    '/io': {
      ...elapsed,
      data: [
        {
          ...named,
          id: 0,
          instances: 2,
          read: { count: 10, sampled_count: 10, bytes: 4096, errors: 1, avg: '2.00 µs', total_ns: 20_000 },
          write: { count: 4, bytes: '1.5 KB', errors: 0, avg: '1.00 µs', total_ns: 4000 },
        },
      ],
    },
    '/functions_cpu': {
      status: 'ready',
      captured_at_ms: 1_795_000_000_000,
      report: { total_samples: 100, data: [{ id: 0, name: 'shop::pay', samples: 40, percent: '40.00%' }] },
    },
  }
}
