import { durationText } from '@flamegate/loadtest/scenario'
import type { ReactNode } from 'react'
import { Badge, type Tone } from '../components/badge.tsx'
import { formatValue } from './format-value.ts'
import { ItemLink } from './item-link.tsx'
import type { ValuesOf } from './report-source.ts'

type Insight = ValuesOf<'insights'>['insights'][number]
type Evidence = Insight['evidence'][number]

const looks: Record<Insight['level'], { tone: Tone; words: string }> = {
  critical: { tone: 'worse', words: 'critical' },
  warning: { tone: 'caution', words: 'warning' },
  info: { tone: 'accent', words: 'info' },
  passed: { tone: 'better', words: 'passed' },
}

interface Props {
  itemId: string
  values: ValuesOf<'insights'>
}

/** What the numbers of a report say, each time with those that it rests on, and the way to them. */
export function InsightsItem({ itemId, values: { insights } }: Props) {
  if (insights.length === 0) return <p className="text-muted">There is too little yet to say anything.</p>
  return (
    <ul className="flex flex-col gap-3 printed:gap-2">
      {insights.map((insight) => (
        <li
          key={`${insight.kind} ${insight.title}`}
          className="flex min-w-0 break-inside-avoid flex-col gap-2 rounded-lg border border-line bg-surface p-4 printed:p-3"
        >
          <div className="flex items-start gap-3">
            <Badge tone={looks[insight.level].tone}>{looks[insight.level].words}</Badge>
            <h3 className="min-w-0 font-semibold break-words">{insight.title}</h3>
          </div>
          {insight.detail === '' ? null : <p className="max-w-prose break-words">{insight.detail}</p>}
          <dl aria-label="Evidence" className="flex flex-wrap gap-x-5 gap-y-1 text-sm wrap-anywhere">
            {insight.evidence.map((evidence, index) => (
              // oxlint-disable-next-line react/no-array-index-key -- the same number may be told twice
              <div key={index} className="flex min-w-0 flex-wrap gap-x-1.5">
                <dt className="text-muted">{evidence.name}</dt>
                <dd className="font-medium tabular-nums">
                  <Shown itemId={itemId} evidence={evidence}>
                    {formatValue(evidence.value, evidence.unit)}
                  </Shown>
                  {evidence.second === null ? null : (
                    <span className="font-normal text-muted"> at {durationText(evidence.second * 1000)}</span>
                  )}
                </dd>
              </div>
            ))}
          </dl>
        </li>
      ))}
    </ul>
  )
}

function Shown({ itemId, evidence, children }: { itemId: string; evidence: Evidence; children: ReactNode }) {
  if (evidence.item_id === null || evidence.item_id === itemId) return children
  return <ItemLink itemId={evidence.item_id}>{children}</ItemLink>
}
