import { type AnswerOf, operations } from '@flamegate/contract'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useCall } from '../api.ts'
import { actionsColumn } from '../components/actions-column.tsx'
import { Badge, type Tone } from '../components/badge.tsx'
import { ConfirmCall } from '../components/confirm-call.tsx'
import { DataTable } from '../components/data-table.tsx'
import { say } from '../components/toasts.tsx'
import { When } from '../components/when.tsx'
import { problemWords } from '../problem-words.ts'

export type Schedule = AnswerOf<typeof operations.listScheduledJobs>['schedules'][number]
type Firing = Schedule['firings'][number]

const outdates = [operations.listScheduledJobs]
const moment = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

const firingTones: Record<Firing['outcome'], Tone> = {
  STARTING: 'accent',
  STARTED: 'better',
  SKIPPED: 'caution',
  MISSED: 'worse',
  FAILED: 'worse',
}

interface Props {
  schedules: readonly Schedule[]
  scenarioNames: ReadonlyMap<string, string>
  mayChange: boolean
}

/** When scenarios run by themselves, and what became of the last times. */
export function ScheduleTable({ schedules, scenarioNames, mayChange }: Props) {
  const [deleted, setDeleted] = useState<Schedule>()
  const call = useCall(operations.updateScheduledJob, outdates)
  const turn = ({ id, name, is_enabled: isOn }: Schedule) =>
    call.mutate(
      { schedule_id: id, action: isOn ? 'disable' : 'enable' },
      {
        onSuccess: () => say(isOn ? `“${name}” is off.` : `“${name}” is on.`),
        onError: (error) => say(`“${name}” stays as it is: ${problemWords(error).detail}`),
      },
    )
  return (
    <>
      <DataTable
        label="Schedules"
        rows={schedules}
        rowKey={({ id }) => id}
        stacks
        whenEmpty=""
        columns={[
          {
            key: 'name',
            title: 'Schedule',
            grow: true,
            sortBy: ({ name }) => name.toLowerCase(),
            render: ({ name, scenario_id: scenarioId }) => (
              <span className="block min-w-0">
                <span className="block truncate font-medium">{name}</span>
                <Link
                  to="/scenarios/$scenarioId"
                  params={{ scenarioId }}
                  className="text-link block truncate text-sm"
                >
                  {scenarioNames.get(scenarioId) ?? 'Scenario'}
                </Link>
              </span>
            ),
          },
          {
            key: 'times',
            title: 'Times',
            render: ({ run_at: runAt, cron, time_zone: zone }) =>
              runAt === null ? (
                <span>
                  <code>{cron}</code> <span className="text-muted">{zone}</span>
                </span>
              ) : (
                'Once'
              ),
          },
          {
            key: 'next',
            title: 'Next',
            sortBy: ({ next_runs: [first] }) => first ?? null,
            render: (schedule) => <NextRuns schedule={schedule} />,
          },
          { key: 'last', title: 'Last', render: ({ firings: [last] }) => <LastFiring firing={last} /> },
          ...(mayChange
            ? [
                actionsColumn((schedule: Schedule) => ({
                  of: schedule.name,
                  actions: [
                    {
                      label: schedule.is_enabled ? 'Turn off' : 'Turn on',
                      onAction: () => turn(schedule),
                    },
                    { label: 'Delete…', onAction: () => setDeleted(schedule) },
                  ],
                })),
              ]
            : []),
        ]}
      />
      {deleted === undefined ? null : (
        <ConfirmCall
          title={`Delete “${deleted.name}”?`}
          action="Delete"
          operation={operations.updateScheduledJob}
          input={{ schedule_id: deleted.id, action: 'delete' }}
          outdates={outdates}
          onDone={() => say(`“${deleted.name}” is deleted.`)}
          onClose={() => setDeleted(undefined)}
        >
          The scenario stays, and so do the runs that were started.
        </ConfirmCall>
      )}
    </>
  )
}

/** The first of the next times; the others are a press away. */
function NextRuns({
  schedule: { is_enabled: isOn, next_runs: next, waiting_since: since },
}: {
  schedule: Schedule
}) {
  const [first, ...others] = next
  if (!isOn) return <Badge>off</Badge>
  return (
    <span className="flex flex-col gap-0.5">
      {since === null ? null : <Badge tone="caution">waits for the run before</Badge>}
      {first === undefined ? (
        <span className="text-muted">never</span>
      ) : (
        <details>
          <summary className="cursor-default whitespace-nowrap">
            <time dateTime={first}>{moment.format(new Date(first))}</time>
          </summary>
          <ol className="text-sm text-muted">
            {others.map((at) => (
              <li key={at}>
                <time dateTime={at}>{moment.format(new Date(at))}</time>
              </li>
            ))}
          </ol>
        </details>
      )}
    </span>
  )
}

function LastFiring({ firing }: { firing: Firing | undefined }) {
  if (firing === undefined) return <span className="whitespace-nowrap text-muted">not yet</span>
  const { outcome, message, count, due_at: dueAt } = firing
  return (
    <span className="block min-w-0">
      <span className="flex flex-wrap items-center gap-2">
        <Badge tone={firingTones[outcome]}>
          {outcome.toLowerCase()}
          {count > 1 ? ` ${count} times` : ''}
        </Badge>
        <When at={dueAt} />
      </span>
      {message === '' ? null : <span className="line-clamp-2 text-sm text-muted">{message}</span>}
    </span>
  )
}
