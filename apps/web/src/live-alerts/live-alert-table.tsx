import { formatAlertValue, type LiveAlertShape, type McpAlertShape } from '@flamegate/contract'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { type AlertAction, possibleActions } from '../alerts/alert.ts'
import { actionVerb, AlertDialog } from '../alerts/alert-dialog.tsx'
import { stateTones, WhatWasDone } from '../alerts/alert-table.tsx'
import { actionsColumn } from '../components/actions-column.tsx'
import { Badge } from '../components/badge.tsx'
import { type Column, DataTable } from '../components/data-table.tsx'
import { When } from '../components/when.tsx'
import { alertTitles } from './alert-titles.ts'

type RunningAlert = LiveAlertShape | McpAlertShape

interface Props {
  label: string
  /** What they are about: the title of the first column. */
  about: string
  alerts: readonly RunningAlert[]
  /** Whether this person may change the state of alerts. */
  mayChange: boolean
}

/** Alerts about programs that run or MCP servers, newest first. */
export function LiveAlertTable({ label, about, alerts, mayChange }: Props) {
  const [asked, setAsked] = useState<{ action: AlertAction; alert: RunningAlert }>()
  const columns: Column<RunningAlert>[] = [
    {
      key: 'app',
      title: about,
      grow: true,
      render: (alert) => (
        <span className="block min-w-0 py-1">
          <Link to={pageOf(alert)} className="row-link block truncate font-medium">
            {alert.name}: {alertTitles[alert.type].toLowerCase()}
          </Link>
          <span className="line-clamp-2 text-sm text-muted max-sm:line-clamp-5">{alert.reason}</span>
          <WhatWasDone alert={alert} />
        </span>
      ),
    },
    {
      key: 'value',
      title: 'Value',
      align: 'right',
      render: ({ value, unit }) => (
        <span className="font-medium text-worse">{formatAlertValue(value, unit)}</span>
      ),
    },
    {
      key: 'state',
      title: 'State',
      render: ({ state }) => <Badge tone={stateTones[state]}>{state}</Badge>,
    },
    { key: 'since', title: 'Since', render: ({ since }) => <When at={since} /> },
    {
      key: 'until',
      title: 'Until',
      hideBelow: 'sm',
      render: ({ until }) => (until === null ? 'lasts' : <When at={until} />),
    },
  ]
  if (mayChange) {
    columns.push(
      actionsColumn((alert: RunningAlert) => ({
        of: `${alert.name}, ${alertTitles[alert.type].toLowerCase()}`,
        actions: possibleActions([alert.state]).map((action) => ({
          label: `${actionVerb(action)}…`,
          onAction: () => setAsked({ action, alert }),
        })),
      })),
    )
  }
  return (
    <>
      <DataTable label={label} rows={alerts} rowKey={({ id }) => id} stacks columns={columns} whenEmpty="" />
      {asked === undefined ? null : (
        <AlertDialog action={asked.action} alerts={[asked.alert]} onClose={() => setAsked(undefined)} />
      )}
    </>
  )
}

function pageOf(alert: RunningAlert): string {
  return alert.kind === 'live_app' ? `/live-apps/${alert.live_app_id}` : `/mcp-targets/${alert.mcp_target_id}`
}
