import { counterOf } from '@flamegate/series'
import { told, toldPercent, type Insight } from '../insight.ts'
import type { MeasuredRun } from '../measured-run.ts'
import { evidence } from './evidence.ts'

/** Bytes of an answer on the wire, on average. */
const largeBytes = 500_000

/** The action with the largest answers, when these are large. Whether they were compressed is not counted. */
export function largeAnswerInsights({ id, actions }: MeasuredRun): Insight[] {
  const own = actions
    .filter(({ holdsOthers, bucket }) => !holdsOthers && counterOf(bucket, 'count') > 0)
    .map(({ name, bucket }) => ({
      name,
      bytes: counterOf(bucket, 'received_bytes'),
      each: counterOf(bucket, 'received_bytes') / counterOf(bucket, 'count'),
    }))
  const all = own.reduce((sum, { bytes }) => sum + bytes, 0)
  const [largest] = own.toSorted((a, b) => b.each - a.each)
  if (largest === undefined || largest.each < largeBytes) return []
  return [
    {
      kind: 'large_answers',
      level: 'info',
      title: `Answers of ${largest.name} have ${told(largest.each / 1000)} kB on average, ${toldPercent(largest.bytes / all)} of all that was received.`,
      detail:
        'Counted as they came over the network. Look whether they are compressed, and whether all of it is needed.',
      evidence: [
        evidence(id, 'table', `bytes of an answer of ${largest.name}`, largest.each, 'bytes'),
        evidence(id, 'table', `received by ${largest.name}`, largest.bytes, 'bytes'),
      ],
    },
  ]
}
