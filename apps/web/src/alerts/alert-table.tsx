import { formatChangePercent, formatQuantity } from '@flamegate/contract'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { actionsColumn } from '../components/actions-column.tsx'
import { Badge, type Tone } from '../components/badge.tsx'
import { Checkbox } from '../components/checkbox.tsx'
import { type Column, DataTable } from '../components/data-table.tsx'
import { When } from '../components/when.tsx'
import { type Alert, type AlertAction, type AlertState, possibleActions } from './alert.ts'
import { actionVerb, AlertDialog } from './alert-dialog.tsx'

interface Props {
  alerts: readonly Alert[]
  /** Whether this person may change the state of alerts. */
  mayChange: boolean
  /** Where many can be changed at once. */
  selection?: { ids: ReadonlySet<string>; onToggle: (id: string) => void }
  sort?: string | undefined
  onSort?: (sort: string) => void
  whenEmpty: string
}

export const stateTones: Readonly<Record<AlertState, Tone>> = {
  open: 'worse',
  acknowledged: 'accent',
  muted: 'plain',
  resolved: 'better',
}

const stateWords: Readonly<Record<AlertState, string>> = {
  open: 'Reopened',
  acknowledged: 'Acknowledged',
  muted: 'Muted',
  resolved: 'Resolved',
}

/** Alerts, newest first: what changed, why that is believed, and what somebody did about it. */
export function AlertTable({ alerts, mayChange, selection, sort, onSort, whenEmpty }: Props) {
  const [asked, setAsked] = useState<{ action: AlertAction; alert: Alert }>()
  const columns: Column<Alert>[] = [
    {
      key: 'benchmark',
      title: 'Benchmark',
      grow: true,
      sortBy: ({ uri }) => uri.toLowerCase(),
      render: (alert) => (
        <div className="flex gap-3 py-1">
          {selection === undefined ? null : (
            <span className="relative z-10">
              <Checkbox
                aria-label={`Select ${alert.name}`}
                isSelected={selection.ids.has(alert.id)}
                onChange={() => selection.onToggle(alert.id)}
              >
                {null}
              </Checkbox>
            </span>
          )}
          <span className="min-w-0">
            <Link
              to="/benchmarks/$benchmarkId"
              params={{ benchmarkId: alert.benchmark_id }}
              search={{ run: alert.run_id, branch: alert.branch, metric: alert.metric }}
              className="row-link block truncate font-medium"
            >
              {alert.name}
            </Link>
            <span className="line-clamp-2 text-sm text-muted max-sm:line-clamp-5" title={alert.reason}>
              {alert.reason}
            </span>
            <WhatWasDone alert={alert} />
            <Evidence alert={alert} />
          </span>
        </div>
      ),
    },
    {
      key: 'change',
      title: 'Change',
      align: 'right',
      sortBy: ({ change_percent }) => change_percent,
      render: (alert) => (
        <span
          title={`${formatQuantity(alert.baseline, alert.unit)} → ${formatQuantity(alert.value, alert.unit)}`}
          className={`font-medium ${alert.verdict === 'regressed' ? 'text-worse' : 'text-better'}`}
        >
          {formatChangePercent(alert.change_percent)}
        </span>
      ),
    },
    {
      key: 'state',
      title: 'State',
      sortBy: ({ state }) => state,
      render: ({ state }) => <Badge tone={stateTones[state]}>{state}</Badge>,
    },
    {
      key: 'branch',
      title: 'Branch',
      hideBelow: 'lg',
      render: ({ branch }) => <span className="block max-w-40 truncate">{branch}</span>,
    },
    {
      key: 'run',
      title: 'Since',
      render: (alert) => (
        <Link
          to="/runs/$runId"
          params={{ runId: alert.run_id }}
          className="relative z-10 rounded-sm text-accent hover:underline"
        >
          <code>{alert.commit_hash.slice(0, 9)}</code>
        </Link>
      ),
    },
    {
      key: 'when',
      title: 'Raised',
      align: 'right',
      hideBelow: 'sm',
      sortBy: ({ detected_at }) => detected_at,
      render: ({ detected_at }) => <When at={detected_at} />,
    },
  ]
  if (mayChange) {
    columns.push(
      actionsColumn((alert: Alert) => ({
        of: alert.name,
        actions: possibleActions([alert.state]).map((action) => ({
          label: `${actionVerb(action)}…`,
          onAction: () => setAsked({ action, alert }),
        })),
      })),
    )
  }
  return (
    <>
      <DataTable
        label="Alerts"
        rows={alerts}
        rowKey={({ id }) => id}
        stacks
        columns={columns}
        whenEmpty={whenEmpty}
        sort={sort}
        {...(onSort === undefined ? {} : { onSort })}
      />
      {asked === undefined ? null : (
        <AlertDialog action={asked.action} alerts={[asked.alert]} onClose={() => setAsked(undefined)} />
      )}
    </>
  )
}

/** Where to look at the run that was different; its row leads to its place in the history. */
function Evidence({ alert }: { alert: Alert }) {
  const linkClass = 'relative z-10 rounded-sm text-accent hover:underline'
  return (
    <span className="flex flex-wrap gap-x-4 pt-0.5 text-sm">
      <Link
        to="/compare"
        search={{
          base: 'baseline',
          head: alert.run_id,
          project: alert.project_id,
          benchmark: alert.benchmark_id,
        }}
        aria-label={`Compare with baseline: ${alert.name}`}
        className={linkClass}
      >
        Compare with baseline
      </Link>
      <Link
        to="/runs/$runId/report"
        params={{ runId: alert.run_id }}
        aria-label={`Report: ${alert.name}`}
        className={linkClass}
      >
        Report
      </Link>
    </span>
  )
}

/** Who changed the state, why, and until when; nothing while nobody did. */
export function WhatWasDone({
  alert: { state, state_by, state_reason, muted_until },
}: {
  alert: Pick<Alert, 'state' | 'state_by' | 'state_reason' | 'muted_until'>
}) {
  const by = state_by === null ? '' : ` by ${state_by}`
  const until =
    state === 'muted' && muted_until !== null
      ? ` until ${new Date(muted_until).toLocaleDateString(undefined, { dateStyle: 'medium' })}`
      : ''
  const why = state_reason === '' ? '' : `: ${state_reason}`
  if (`${by}${until}${why}` === '') return null
  return (
    <span className="line-clamp-2 text-sm">
      {stateWords[state]}
      {by}
      {until}
      {why}
    </span>
  )
}
