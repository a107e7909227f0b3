import type { Monitor } from '@flamegate/loadtest'
import { createConnection } from 'mysql2/promise'
import { answerWithinMs, type Collector, type Reading } from './reading.ts'

type MysqlMonitor = Extract<Monitor, { type: 'mysql' }>

/** Of some five hundred, those that are looked at first. */
const usual = new Set(
  `Aborted_clients Aborted_connects Bytes_received Bytes_sent Com_commit Com_delete Com_insert Com_rollback Com_select
  Com_update Connections Created_tmp_disk_tables Created_tmp_tables Handler_read_rnd_next Innodb_buffer_pool_pages_dirty
  Innodb_buffer_pool_pages_free Innodb_buffer_pool_pages_total Innodb_buffer_pool_read_requests Innodb_buffer_pool_reads
  Innodb_data_reads Innodb_data_writes Innodb_deadlocks Innodb_os_log_written Innodb_row_lock_current_waits
  Innodb_row_lock_time Innodb_row_lock_waits Max_used_connections Queries Questions Select_full_join Select_scan
  Slow_queries Sort_merge_passes Table_locks_waited Threads_connected Threads_created Threads_running`.split(
    /\s+/,
  ),
)

/** What goes up and down; all others only rise. */
const gauges = [
  /^Threads_(cached|connected|running)$/,
  /^Open_(files|streams|tables|table_definitions)$/,
  /^Uptime/,
  /^Max_/,
  /^Memory_used/,
  /^Prepared_stmt_count$/,
  /^Innodb_buffer_pool_(pages_(data|dirty|free|misc|total|latched|old)|bytes_|load_incomplete)/,
  /^Innodb_row_lock_(current_waits|time_avg|time_max)$/,
  /^Innodb_redo_log_(capacity_resized|logical_size|physical_size|uuid)$/,
  /^Innodb_(undo_tablespaces_|buffer_pool_resize_status_)/,
  /^(Acl_cache_items_count|Compression_level|Delayed_insert_threads|Global_connection_memory|Not_flushed_delayed_rows)$/,
  /^(Error_log_(buffered|latest)_|Last_query_|Mysqlx_worker_threads|Tc_log_(max_pages_used|page_size)$)/,
  /^(Performance_schema_session_connect_attrs_longest_seen|Deprecated_use_.*_last_timestamp)$/,
  /^Rpl_semi_sync_(master|source)_(clients|net_avg_wait_time|tx_avg_wait_time|wait_sessions)$/,
  /^Ssl_(ctx_)?(verify|default_timeout|session_cache_(size|timeout))/,
  /^Innodb_(page_size|num_open_files|history_list_length|checkpoint_|lsn_|mem_|max_trx_id|ibuf_(size|free_list|segment_size))/,
  /_pending(_|$)/,
  /^Key_blocks_/,
  /^Qcache_(free|queries_in_cache|total)/,
  /^(Slave|Replica)_(open_temp_tables|running|heartbeat_period|connections)$/,
  /^wsrep_/,
  /^Threadpool_(idle_threads|threads)$/,
  /_(limit|version|seconds_behind_master)$/,
]

/** https://dev.mysql.com/doc/refman/8.4/en/server-status-variables.html, and MariaDB's */
export async function mysqlCollector(
  { host, port, user, tls }: MysqlMonitor,
  secret: string | null,
): Promise<Collector> {
  const connection = await createConnection({
    host,
    port,
    user,
    password: secret ?? '',
    connectTimeout: answerWithinMs,
    ...(tls === 'disable' ? {} : { ssl: { rejectUnauthorized: tls === 'verify_full' } }),
  })
  // Whoever reads next is told.
  connection.on('error', () => undefined)
  return {
    async read() {
      const [rows] = await connection.query<never>({
        sql: 'SHOW GLOBAL STATUS',
        rowsAsArray: true,
        timeout: answerWithinMs,
      })
      return statusReadings(rows)
    },
    close: async () => connection.destroy(),
  }
}

/** Of names and values, which are all texts. */
export function statusReadings(rows: readonly (readonly [name: string, value: string])[]): Reading[] {
  return rows.flatMap(([name, text]) => {
    const value = text === '' ? Number.NaN : Number(text)
    if (!Number.isFinite(value)) return []
    const isGauge = gauges.some((pattern) => pattern.test(name))
    return [
      {
        name,
        unit: unitOf(name, isGauge),
        kind: isGauge ? 'gauge' : 'counter',
        value,
        isUsual: usual.has(name),
      },
    ]
  })
}

function unitOf(name: string, isGauge: boolean): string {
  const isBytes =
    /^Bytes_|_bytes_|_bytes$|^Memory_used|^Global_connection_memory$|_redo_log_\w+_size$|_os_log_written$/.test(
      name,
    )
  if (isGauge) return isBytes ? 'bytes' : ''
  return isBytes ? 'bytes/s' : '/s'
}
