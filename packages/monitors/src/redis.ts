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
const counters = [
  /^total_(?!.*(eviction_exceeded_time|active_defrag_time|system_memory|blocking|watched))/,
  /^(keyspace|expired|evicted|rejected|lazyfreed|sync|pubsubshard|acl_access_denied|unexpected_error|dump_payload|reply_buffer)_/,
  /^used_cpu_/,
  /^active_defrag_(hits|misses|key_hits|key_misses)$/,
  /^io_threaded_/,
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
