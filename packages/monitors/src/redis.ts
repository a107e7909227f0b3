import type { Monitor } from '@flamegate/loadtest'
import { Redis } from 'ioredis'
import { answerWithinMs, type Collector, type Reading } from './reading.ts'

type RedisMonitor = Extract<Monitor, { type: 'redis' }>

/** Of some hundred and fifty, those that are looked at first. */
const usual = new Set(
  `blocked_clients connected_clients connected_slaves evicted_keys expired_keys instantaneous_ops_per_sec keyspace_hits
  keyspace_misses latest_fork_usec maxmemory mem_fragmentation_ratio rdb_changes_since_last_save rejected_connections
  total_commands_processed total_connections_received total_error_replies total_net_input_bytes total_net_output_bytes
  used_cpu_sys used_cpu_user used_memory used_memory_rss`.split(/\s+/),
)
/** What only rises, by the source of Redis 7.0 to 8.0 (genRedisInfoString in server.c); all others go up and down. */
const counters = [
  /^total_(?!system_memory|blocking_keys|watched_keys)/,
  /^(keyspace_(hits|misses)|sync_(full|partial_ok|partial_err)|expired_(?!stale_perc))/,
  /^(evicted|rejected|lazyfreed|acl_access_denied|unexpected_error|dump_payload|reply_buffer)_/,
  /^client_(query|output)_buffer_limit_disconnections$/,
  /^eventloop_(cycles$|duration_(\w+_)?sum$)/,
  /^(used_cpu|io_threaded)_/,
  /^active_defrag_(hits|misses|key_hits|key_misses)$/,
  /^(expire_cycle_cpu_milliseconds|aof_rewrites|aof_delayed_fsync|rdb_saves)$/,
]

/** https://redis.io/docs/latest/commands/info/ */
export async function redisCollector(
  { host, port, user, tls }: RedisMonitor,
  secret: string | null,
): Promise<Collector> {
  const redis = new Redis({
    host,
    port,
    ...(user === '' ? {} : { username: user }),
    ...(secret === null ? {} : { password: secret }),
    ...(tls === 'disable' ? {} : { tls: { rejectUnauthorized: tls === 'verify_full' } }),
    lazyConnect: true,
    connectTimeout: answerWithinMs,
    commandTimeout: answerWithinMs,
    maxRetriesPerRequest: 0,
    enableReadyCheck: false,
    retryStrategy: () => null,
  })
  let failure: Error | undefined
  redis.on('error', (error) => {
    failure = error
  })
  try {
    await redis.connect()
    await redis.ping()
  } catch (error) {
    redis.disconnect()
    throw failure ?? error
  }
  return {
    read: async () => infoReadings(await redis.info()),
    close: async () => redis.disconnect(),
  }
}

export function infoReadings(text: string): Reading[] {
  return text.split(/\r?\n/).flatMap((line) => {
    const [, name = '', value = ''] = /^(\w+):(.*)$/.exec(line) ?? []
    // db0:keys=2,expires=0
    if (/^db\d+$/.test(name)) {
      return [...value.matchAll(/(\w+)=(\d+)/g)].map(([, field = '', count]) =>
        reading(`${name}.${field}`, Number(count), field === 'keys'),
      )
    }
    return /^-?\d+(\.\d+)?$/.test(value) ? [reading(name, Number(value), usual.has(name))] : []
  })
}

function reading(name: string, value: number, isUsual: boolean): Reading {
  const isCounter = counters.some((pattern) => pattern.test(name))
  const unit = /_bytes$|^used_memory|^maxmemory$|^total_system_memory$/.test(name) ? 'bytes' : ''
  if (!isCounter) return { name, unit, kind: 'gauge', value, isUsual }
  return { name, unit: name.startsWith('used_cpu_') ? 's/s' : `${unit}/s`, kind: 'counter', value, isUsual }
}
