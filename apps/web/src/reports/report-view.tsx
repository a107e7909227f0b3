import { type ReactNode, useContext } from 'react'
import { BenchState } from '../bench-results/bench-state.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { PrintedContext } from '../shell/printed.ts'
import { DrawnContext, useReadyWhenDrawn } from './drawn-items.ts'
import { type ItemPlace, itemPlaces } from './item-place.ts'
import { ReportItem } from './report-item.tsx'
import { type ReportAnswer, type ReportSource, ReportSourceContext } from './report-source.ts'
import { RunLink } from './run-link.tsx'

interface Props {
  report: ReportAnswer
  source: ReportSource
}

/** All that a report shows, one item below the other. */
export function ReportView({ report, source }: Props) {
  const items = itemPlaces(report.document)
  const isPrinted = useContext(PrintedContext)
  return (
    <ReportSourceContext value={source}>
      <div className="flex max-w-7xl min-w-0 flex-col gap-8 printed:gap-5">
        <Runs report={report} />
        {items.length === 0 ? (
          <EmptyState title="Nothing in it yet">
            <p>Edit the report, and add what it is to show.</p>
          </EmptyState>
        ) : null}
        {isPrinted ? <Printed items={items}>{renderItems(items)}</Printed> : renderItems(items)}
      </div>
    </ReportSourceContext>
  )
}

function renderItems(items: readonly ItemPlace[]) {
  return items.map((item) => <ReportItem key={item.id} item={item} />)
}

/** Says when all of it is drawn. */
function Printed({ items, children }: { items: readonly ItemPlace[]; children: ReactNode }) {
  const tellDrawn = useReadyWhenDrawn(items.map(({ id }) => id))
  return <DrawnContext value={tellDrawn}>{children}</DrawnContext>
}

const exact = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' })

/** Which runs it is about; of a comparison, the first is what the others are held against. */
function Runs({ report: { runs, document } }: { report: ReportAnswer }) {
  const { description } = document
  if (runs.length === 0 && (typeof description !== 'string' || description === '')) return null
  return (
    <div className="flex min-w-0 flex-col gap-3 printed:gap-2">
      {typeof description === 'string' && description !== '' ? (
        <p className="max-w-prose break-words whitespace-pre-line">{description}</p>
      ) : null}
      {runs.length === 0 ? null : (
        <ul aria-label="Runs" className="flex flex-col gap-1.5 wrap-anywhere">
          {runs.map((run, index) =>
            run === null ? (
              // oxlint-disable-next-line react/no-array-index-key -- what is gone has no id; its place stays
              <li key={index} className="text-muted">
                A run that was deleted
              </li>
            ) : (
              <li key={run.id} className="flex flex-wrap items-center gap-x-3 gap-y-1">
                <RunLink runId={run.id}>{run.name}</RunLink>
                <BenchState state={run.state} is_degraded={run.is_degraded} />
                <span className="text-muted">
                  {run.started_at === null ? 'not begun' : exact.format(new Date(run.started_at))}
                  {index === 0 && runs.length > 1 ? ', what the others are compared with' : null}
                </span>
              </li>
            ),
          )}
        </ul>
      )}
    </div>
  )
}
