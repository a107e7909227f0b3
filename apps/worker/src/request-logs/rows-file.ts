import type { NamedRequest, ReadRequestRow } from '@flamegate/loadtest/request-log'

/** A row, and the names of what its numbers stand for. */
export type FileRow = readonly [ReadRequestRow, NamedRequest]

/** What a format makes of rows. */
export interface RowsFile {
  add(rows: readonly FileRow[]): Promise<void>
  end(): Promise<void>
}
