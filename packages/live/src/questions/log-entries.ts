import type { LiveLog, LiveSection } from '../push.ts'
import { sectionNames } from '../sections.ts'
import { withoutSqlLiterals } from './sql-text.ts'

/** What was logged once. */
export interface LogEntry {
  atMs: number
  session: string
  /** Id of the item. */
  item: string
  /** By name, of which the last word is the unit. */
  measures: Readonly<Record<string, number>>
  kind: string | null
  thread: string | null
  text: string | null
}

/** The newest entries of pieces of logs of one section, the newest first; of one moment, the one that was logged last. */
export function newestEntries(
  section: LiveSection,
  logs: readonly (LiveLog & { session: string })[],
  entriesMax: number,
): LogEntry[] {
  return logs
    .flatMap((log) => log.at.map((atMs, index) => entryOf(section, log, atMs, index)).toReversed())
    .toSorted((a, b) => b.atMs - a.atMs)
    .slice(0, entriesMax)
}

function entryOf(
  section: LiveSection,
  log: LiveLog & { session: string },
  atMs: number,
  index: number,
): LogEntry {
  const value = log.value?.[index] ?? null
  const count = log.count?.[index] ?? null
  const text = log.text?.[index] ?? null
  return {
    atMs,
    session: log.session,
    item: log.item,
    measures: {
      ...(value === null ? {} : { [valueName(section)]: value }),
      ...(count === null ? {} : { [sectionNames[section].log?.count ?? 'count']: count }),
    },
    kind: log.kind?.[index] ?? null,
    thread: log.thread?.[index] ?? null,
    text: section === 'sql' && text !== null ? withoutSqlLiterals(text) : text,
  }
}

function valueName(section: LiveSection): string {
  const unit = sectionNames[section].log?.value
  if (unit === 'bytes') return 'allocated_bytes'
  if (unit === 'ns') return section === 'channels' ? 'delay_ns' : 'duration_ns'
  return 'value'
}
