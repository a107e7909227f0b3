import { formatAlertValue, type LiveAlertShape } from '@flamegate/contract'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { type AlertAction, possibleActions } from '../alerts/alert.ts'
import { actionVerb, AlertDialog } from '../alerts/alert-dialog.tsx'
import { stateTones, WhatWasDone } from '../alerts/alert-table.tsx'
import { Badge } from '../components/badge.tsx'
import { type Column, DataTable } from '../components/data-table.tsx'
import { MoreActions } from '../components/more-actions.tsx'
import { When } from '../components/when.tsx'
import { alertTitles } from './alert-titles.ts'

interface Props {
  alerts: readonly LiveAlertShape[]
  /** Whether this person may change the state of alerts. */
  mayChange: boolean
}

/** Alerts about programs that run, newest first. */
export function LiveAlertTable({ alerts, mayChange }: Props) {
  const [asked, setAsked] = useState<{ action: AlertAction; alert: LiveAlertShape }>()
  const columns: Column<LiveAlertShape>[] = [
    {
      key: 'app',
      title: 'Live app',
      grow: true,
      render: (alert) => (
        <span className="block min-w-0 py-1">
          <Link
            to="/live-apps/$liveAppId"
            params={{ liveAppId: alert.live_app_id }}
            className="row-link block truncate font-medium"
          >
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
    columns.push({
      key: 'actions',
      title: 'Actions',
      align: 'right',
      render: (alert) => (
        <span className="relative z-10">
          <MoreActions
            of={`${alert.name}, ${alertTitles[alert.type].toLowerCase()}`}
            actions={possibleActions([alert.state]).map((action) => ({
              label: `${actionVerb(action)}…`,
              onAction: () => setAsked({ action, alert }),
            }))}
          />
        </span>
      ),
    })
  }
  return (
    <>
      <DataTable
        label="Alerts of live apps"
        rows={alerts}
        rowKey={({ id }) => id}
        stacks
        columns={columns}
        whenEmpty=""
      />
      {asked === undefined ? null : (
        <AlertDialog action={asked.action} alerts={[asked.alert]} onClose={() => setAsked(undefined)} />
      )}
    </>
  )
}
