import type { Reference, TenantTable } from './tenant-tables.ts'

/** A row of an archive, by column. */
export type Row = Record<string, unknown>

/** What nobody is at work on any more goes on from nowhere. */
function isUnfinished(table: string, row: Row): boolean {
  if (table === 'files') return row['status'] !== 'READY'
  if (table === 'tasks') return row['finished_at'] === null
  return false
}

/** Rows that are not imported because they are unfinished, or because they need one that is, such as a profile its file. */
export class UnfinishedRows {
  /** By table. */
  readonly #ids = new Map<string, Set<unknown>>()

  /** The rows that are imported. They refer to none of the others. */
  leaveOut(table: TenantTable, rows: readonly Row[]): Row[] {
    const { name, references } = table
    const needed = references.filter(({ isOptional }) => !isOptional)
    return rows.filter((row) => {
      const isLeftOut = isUnfinished(name, row) || needed.some((reference) => this.#isNamed(row, reference))
      if (isLeftOut) this.#ids.set(name, (this.#ids.get(name) ?? new Set()).add(row['id']))
      else this.clear(table, row)
      return !isLeftOut
    })
  }

  /** What a row can do without is not named any more. */
  clear({ references }: TenantTable, row: Row): void {
    for (const reference of references) {
      if (!reference.isOptional || !this.#isNamed(row, reference)) continue
      for (const column of reference.columns) row[column] = null
    }
  }

  #isNamed(row: Row, { table, columns }: Reference): boolean {
    const ids = this.#ids.get(table)
    return ids !== undefined && columns.some((column) => ids.has(row[column]))
  }
}
