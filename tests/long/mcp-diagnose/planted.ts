import type { Diagnosis, Finding } from '@flamegate/mcp-profiling'

/** A fault of apps/cli/src/mcp/testing/faulty-server.ts, and what has to be said of it. */
export interface Planted {
  fault: string
  rule: Finding['rule']
  subject: string
  /** What it brings about, and may be said too. */
  consequences: readonly Finding['rule'][]
}

export const planted: readonly Planted[] = [
  // What lives on is moved by each collection.
  { fault: 'leak', rule: 'memory_leak', subject: 'search', consequences: ['gc_pressure'] },
  { fault: 'quadratic', rule: 'grows_with_input', subject: 'count_duplicates', consequences: [] },
  {
    fault: 'blocking',
    rule: 'blocking_call',
    subject: 'read_sensor',
    // Who blocks the event loop lets nobody else through.
    consequences: ['event_loop_blocked', 'concurrency_limit'],
  },
  { fault: 'race', rule: 'errors_under_concurrency', subject: 'translate', consequences: [] },
]

/** What a diagnosis missed of the faults that were there, and what it said that is not so. */
export function judged(
  { findings }: Pick<Diagnosis, 'findings'>,
  there: readonly Planted[],
): { missed: string[]; untrue: string[] } {
  const isNamed = ({ rule, subject }: Planted): boolean =>
    findings.some((finding) => finding.rule === rule && finding.subject === subject)
  const isTrue = ({ rule, subject }: Finding): boolean =>
    there.some((each) => each.rule === rule && each.subject === subject) ||
    (subject === null && there.some(({ consequences }) => consequences.includes(rule)))
  return {
    missed: there.filter((each) => !isNamed(each)).map(({ fault }) => fault),
    untrue: findings.filter((finding) => !isTrue(finding)).map(({ rule, title }) => `${rule}: ${title}`),
  }
}
