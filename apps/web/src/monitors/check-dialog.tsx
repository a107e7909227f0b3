import { type AnswerOf, operations } from '@flamegate/contract'
import { useEffect } from 'react'
import { useAnswer, useCall } from '../api.ts'
import { Answer } from '../components/answer.tsx'
import { Badge } from '../components/badge.tsx'
import { Button } from '../components/button.tsx'
import { DataTable } from '../components/data-table.tsx'
import { Dialog } from '../components/dialog.tsx'
import { ProblemNote } from '../components/problem-note.tsx'
import { SkeletonTable } from '../components/skeleton.tsx'
import { When } from '../components/when.tsx'
import type { Monitor } from './monitor-draft.ts'
import { ReachableBadge } from './reachable-badge.tsx'

type Check = NonNullable<AnswerOf<typeof operations.getMonitor>['check']>

interface Props {
  monitor: Monitor
  /** Checks it at once. */
  isAsked: boolean
  onClose: () => void
}

/** Has an agent connect to what is monitored, and shows the counters that it found, or that were found last. */
export function CheckDialog({ monitor, isAsked, onClose }: Props) {
  const query = useAnswer(operations.getMonitor, { monitor_id: monitor.id })
  const { mutate, ...call } = useCall(operations.setMonitor, [operations.listMonitors, operations.getMonitor])
  const { project_id: projectId, name } = monitor
  useEffect(() => {
    if (isAsked) mutate({ project_id: projectId, name, check: true })
  }, [isAsked, mutate, projectId, name])
  const unanswered = call.data?.check?.is_reachable === null ? call.data.check : null
  return (
    <Dialog title={monitor.name} isOpen wide onClose={onClose}>
      <output className="flex flex-col gap-3">
        {call.isPending ? <p>An agent is asked to connect…</p> : null}
        {call.error === null ? null : <ProblemNote error={call.error} isBrief />}
        {unanswered === null ? null : <p className="text-caution">{unanswered.message}</p>}
      </output>
      <Answer query={query} skeleton={<SkeletonTable rows={4} />}>
        {({ check, checked_at: checkedAt }) =>
          check === null || checkedAt === null ? (
            <p className="text-muted">It was never checked.</p>
          ) : (
            <div className="flex flex-col gap-3">
              <p className="flex flex-wrap items-center gap-2">
                <ReachableBadge isReachable={check.is_reachable} />
                <span>{check.message}</span>
                <span className="text-muted">
                  Checked <When at={checkedAt} />.
                </span>
              </p>
              {check.counters.length === 0 ? null : <CounterTable check={check} />}
            </div>
          )
        }
      </Answer>
      <div className="mt-1 flex justify-end gap-2">
        <Button onPress={onClose}>Close</Button>
        <Button
          variant="primary"
          isDisabled={call.isPending}
          onPress={() => mutate({ project_id: projectId, name, check: true })}
        >
          Check it now
        </Button>
      </div>
    </Dialog>
  )
}

const numbers = new Intl.NumberFormat(undefined, { maximumSignificantDigits: 6 })

function CounterTable({ check: { counters, counter_count: count } }: { check: Check }) {
  return (
    <div className="flex max-h-96 flex-col gap-2 overflow-y-auto">
      <DataTable
        label="Counters"
        rows={counters}
        rowKey={({ name }) => name}
        whenEmpty=""
        columns={[
          {
            key: 'name',
            title: 'Counter',
            grow: true,
            sortBy: ({ name }) => name,
            render: ({ name }) => <span className="font-mono text-sm break-all">{name}</span>,
          },
          {
            key: 'value',
            title: 'Value',
            align: 'right',
            sortBy: ({ value }) => value,
            render: ({ value, unit }) => (value === null ? '' : `${numbers.format(value)} ${unit}`),
          },
          {
            key: 'kept',
            title: 'In load tests',
            sortBy: ({ is_kept: isKept }) => Number(isKept),
            render: ({ is_kept: isKept }) => (isKept ? <Badge tone="accent">kept</Badge> : ''),
          },
        ]}
      />
      {count > counters.length ? (
        <p className="text-sm text-muted">And {count - counters.length} more, which are not shown.</p>
      ) : null}
    </div>
  )
}
