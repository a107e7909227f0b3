import type { Monitor } from '@flamegate/loadtest'
import { jolokiaCollector } from './jolokia.ts'
import { linuxCollector } from './linux.ts'
import { mysqlCollector } from './mysql.ts'
import { nginxCollector } from './nginx.ts'
import { otlpCollector } from './otlp.ts'
import { postgresCollector } from './postgres.ts'
import { prometheusCollector } from './prometheus.ts'
import type { Collector } from './reading.ts'
import { redisCollector } from './redis.ts'

/** Connects to what is monitored. @throws Error that says why it could not */
export async function openCollector(monitor: Monitor, secret: string | null): Promise<Collector> {
  switch (monitor.type) {
    case 'linux':
      return linuxCollector()
    case 'prometheus':
      return prometheusCollector(monitor, secret)
    case 'postgres':
      return postgresCollector(monitor, secret)
    case 'mysql':
      return mysqlCollector(monitor, secret)
    case 'redis':
      return redisCollector(monitor, secret)
    case 'nginx':
      return nginxCollector(monitor, secret)
    case 'jolokia':
      return jolokiaCollector(monitor, secret)
    default:
      return otlpCollector(monitor.port)
  }
}
