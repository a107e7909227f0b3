import { expect, test } from 'vitest'
import { statusReadings } from './mysql.ts'
import { otlpPoints } from './otlp-points.ts'
import { parseExposition } from './parse-exposition.ts'
import { infoReadings } from './redis.ts'

/** Names of servers that are not installed here, as their documents and sources have them. */

const kinds = (readings: readonly { name: string; kind: string; unit: string }[]) =>
  readings.map(({ name, kind, unit }) => `${name} ${kind} ${unit}`.trim())

// genRedisInfoString in https://github.com/redis/redis/blob/8.0.0/src/server.c, and its keyspace.
test('what Redis 7.4 and 8 tell rises where it says so', () => {
  const text = `# Clients
maxclients:10000
clients_in_timeout_table:0
total_watched_keys:0
total_blocking_keys:0
total_blocking_keys_on_nokey:0

# Memory
used_memory:1161128
used_memory_human:1.11M
total_system_memory:8250978304
mem_fragmentation_ratio:13.11

# Persistence
rdb_saves:3
aof_rewrites:1
aof_delayed_fsync:2

# Stats
expired_subkeys:0
expired_stale_perc:0.00
expired_time_cap_reached_count:0
expire_cycle_cpu_milliseconds:18
evicted_scripts:0
total_eviction_exceeded_time:0
current_eviction_exceeded_time:0
pubsubshard_channels:0
eventloop_cycles:2147
eventloop_duration_sum:258012
eventloop_duration_cmd_sum:4125
instantaneous_eventloop_cycles_per_sec:9
client_output_buffer_limit_disconnections:0
sync_partial_ok:0
io_threads_active:0

# Keysizes
db0_distrib_strings_sizes:1=2

# Keyspace
db0:keys=2,expires=0,avg_ttl=0,subexpiry=0`
  expect(kinds(infoReadings(text))).toEqual([
    'maxclients gauge',
    'clients_in_timeout_table gauge',
    'total_watched_keys gauge',
    'total_blocking_keys gauge',
    'total_blocking_keys_on_nokey gauge',
    'used_memory gauge bytes',
    'total_system_memory gauge bytes',
    'mem_fragmentation_ratio gauge',
    'rdb_saves counter /s',
    'aof_rewrites counter /s',
    'aof_delayed_fsync counter /s',
    'expired_subkeys counter /s',
    'expired_stale_perc gauge',
    'expired_time_cap_reached_count counter /s',
    'expire_cycle_cpu_milliseconds counter /s',
    'evicted_scripts counter /s',
    'total_eviction_exceeded_time counter /s',
    'current_eviction_exceeded_time gauge',
    'pubsubshard_channels gauge',
    'eventloop_cycles counter /s',
    'eventloop_duration_sum counter /s',
    'eventloop_duration_cmd_sum counter /s',
    'instantaneous_eventloop_cycles_per_sec gauge',
    'client_output_buffer_limit_disconnections counter /s',
    'sync_partial_ok counter /s',
    'io_threads_active gauge',
    'db0.keys gauge',
    'db0.expires gauge',
    'db0.avg_ttl gauge',
    'db0.subexpiry gauge',
  ])
})

// https://dev.mysql.com/doc/refman/8.4/en/server-status-variables.html
test('what MySQL 8.4 tells rises where it says so', () => {
  const rows = [
    ['Acl_cache_items_count', '0'],
    ['Caching_sha2_password_rsa_public_key', '-----BEGIN PUBLIC KEY-----'],
    ['Error_log_buffered_bytes', '4096'],
    ['Error_log_expired_events', '0'],
    ['Global_connection_memory', '0'],
    ['Innodb_buffer_pool_resize_status_code', '0'],
    ['Innodb_buffer_pool_pages_flushed', '7'],
    ['Innodb_data_pending_reads', '0'],
    ['Innodb_redo_log_logical_size', '13312'],
    ['Innodb_redo_log_read_only', 'OFF'],
    ['Innodb_redo_log_uuid', '1075899837'],
    ['Innodb_undo_tablespaces_active', '2'],
    ['Rpl_semi_sync_source_clients', '1'],
    ['Rpl_semi_sync_source_yes_tx', '1'],
    ['Ssl_accepts', '3'],
    ['Ssl_session_cache_size', '128'],
    ['Table_open_cache_hits', '9'],
    ['Threads_running', '2'],
  ] as const
  expect(kinds(statusReadings(rows))).toEqual([
    'Acl_cache_items_count gauge',
    'Error_log_buffered_bytes gauge bytes',
    'Error_log_expired_events counter /s',
    'Global_connection_memory gauge bytes',
    'Innodb_buffer_pool_resize_status_code gauge',
    'Innodb_buffer_pool_pages_flushed counter /s',
    'Innodb_data_pending_reads gauge',
    'Innodb_redo_log_logical_size gauge bytes',
    'Innodb_redo_log_uuid gauge',
    'Innodb_undo_tablespaces_active gauge',
    'Rpl_semi_sync_source_clients gauge',
    'Rpl_semi_sync_source_yes_tx counter /s',
    'Ssl_accepts counter /s',
    'Ssl_session_cache_size gauge',
    'Table_open_cache_hits counter /s',
    'Threads_running gauge',
  ])
})

// https://prometheus.io/docs/specs/om/open_metrics_spec/#gaugehistogram-1
test('buckets of a histogram of levels are levels, and not looked at first', () => {
  const text = '# TYPE queue gaugehistogram\nqueue_bucket{le="1"} 2\nqueue_gcount 3\nqueue_gsum 4\n# EOF'
  expect(parseExposition(text).map(({ name, kind, isUsual }) => [name, kind, isUsual])).toEqual([
    ['queue_bucket{le="1"}', 'gauge', false],
    ['queue_gcount', 'gauge', true],
    ['queue_gsum', 'gauge', true],
  ])
})

test.each([NaN, Infinity, 'NaN', '-Infinity', null])(
  'a value of %s over OTLP is none, and hides no other',
  (asDouble) => {
    const gauge = { dataPoints: [{ asDouble }, { asInt: '-7', timeUnixNano: '1764000000000000000' }] }
    const points = otlpPoints({
      resourceMetrics: [{ scopeMetrics: [{ metrics: [{ name: 'depth', gauge }] }] }],
    })
    expect(points.map(({ name, value, atMs }) => [name, value, atMs])).toEqual([
      ['depth', -7, 1_764_000_000_000],
    ])
  },
)
