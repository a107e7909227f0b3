import { type BasicType, fileWriter, ParquetWriter, schemaFromColumnData } from 'hyparquet-writer'
import type { FileRow, RowsFile } from './rows-file.ts'

/** So many rows are encoded at once: a few megabytes. */
const groupRows = 50_000

interface Column {
  name: string
  type: BasicType
  of: (row: FileRow) => unknown
}

/** Durations in microseconds; null where something was not measured, or there is none. */
const columns: readonly Column[] = [
  { name: 'time', type: 'TIMESTAMP', of: ([, { startMs }]) => new Date(startMs) },
  { name: 'label', type: 'STRING', of: ([, { label }]) => label },
  { name: 'profile', type: 'STRING', of: ([, { profile }]) => profile },
  { name: 'response_time_us', type: 'INT64', of: ([row]) => BigInt(row.responseUs) },
  { name: 'service_time_us', type: 'INT64', of: ([row]) => orNull(row.serviceUs) },
  { name: 'connect_us', type: 'INT64', of: ([row]) => BigInt(row.connectUs) },
  { name: 'download_us', type: 'INT64', of: ([row]) => orNull(row.downloadUs) },
  { name: 'status', type: 'INT32', of: ([{ status }]) => (status === 0 ? null : status) },
  { name: 'error_class', type: 'STRING', of: ([{ errorClass }]) => errorClass || null },
  { name: 'failure', type: 'STRING', of: ([{ failure }]) => failure || null },
  { name: 'sent_bytes', type: 'INT64', of: ([row]) => BigInt(row.sentBytes) },
  { name: 'received_bytes', type: 'INT64', of: ([row]) => BigInt(row.receivedBytes) },
  { name: 'url', type: 'STRING', of: ([{ url }]) => url || null },
  { name: 'host', type: 'STRING', of: ([, { host }]) => host },
  { name: 'thread', type: 'STRING', of: ([, { threadName }]) => threadName },
  { name: 'user', type: 'INT32', of: ([{ user }]) => (user < 0 ? null : user) },
  { name: 'iteration', type: 'INT32', of: ([{ iteration }]) => (iteration < 0 ? null : iteration) },
  { name: 'users', type: 'INT32', of: ([{ allUsers }]) => allUsers },
]

/** A Parquet file with a group of rows for each so many. */
export function parquetFile(path: string): RowsFile {
  const parquet = new ParquetWriter({
    writer: fileWriter(path),
    schema: schemaFromColumnData({ columnData: columnsOf([]) }),
    createdBy: 'Flamegate',
  })
  let waiting: FileRow[] = []
  const write = async () => {
    if (waiting.length === 0) return
    const columnData = columnsOf(waiting)
    const rowGroupSize = waiting.length
    waiting = []
    await parquet.write({ columnData, rowGroupSize })
  }
  return {
    async add(rows) {
      for (const row of rows) waiting.push(row)
      if (waiting.length >= groupRows) await write()
    },
    async end() {
      await write()
      await parquet.finish()
    },
  }
}

function columnsOf(rows: readonly FileRow[]) {
  return columns.map(({ name, type, of }) => ({ name, type, data: rows.map(of), nullable: true }))
}

/** -1: not measured. */
function orNull(microseconds: number): bigint | null {
  return microseconds < 0 ? null : BigInt(microseconds)
}
