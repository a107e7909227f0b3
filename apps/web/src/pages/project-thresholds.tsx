import { operations } from '@flamegate/contract'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { AlertsAreOff, SwitchAlertsOff } from '../alerts/alert-switch.tsx'
import { useAnswer } from '../api.ts'
import { actionsColumn } from '../components/actions-column.tsx'
import { Answer } from '../components/answer.tsx'
import { Badge } from '../components/badge.tsx'
import { BenchmarkById } from '../components/benchmark-by-id.tsx'
import { Button } from '../components/button.tsx'
import { ConfirmCall } from '../components/confirm-call.tsx'
import { DataTable } from '../components/data-table.tsx'
import { PlusIcon } from '../components/icons.tsx'
import { SkeletonTable } from '../components/skeleton.tsx'
import { say } from '../components/toasts.tsx'
import { LiveThresholds } from '../live-alerts/live-thresholds.tsx'
import { ProjectPage } from '../shell/page.tsx'
import { useMayInProject } from '../shell/project-role.ts'
import {
  draftOf,
  limitWords,
  newDraft,
  targetInput,
  testLooks,
  type Threshold,
} from '../thresholds/threshold.ts'
import { ThresholdDialog } from '../thresholds/threshold-dialog.tsx'

const route = getRouteApi('/app/projects/$projectId/thresholds')

/** What raises an alert in a project. The address may open the form for one benchmark. */
export function ProjectThresholdsPage() {
  const { projectId } = route.useParams()
  const { benchmark, sort } = route.useSearch()
  const navigate = route.useNavigate()
  const mayChange = useMayInProject(projectId, 'member')
  const query = useAnswer(operations.listThresholds, { repository: projectId })
  const [isNew, setNew] = useState(false)
  const [changed, setChanged] = useState<Threshold>()
  const [turnedOff, setTurnedOff] = useState<Threshold>()
  return (
    <ProjectPage
      projectId={projectId}
      section="thresholds"
      title="Thresholds"
      lead="What raises an alert when a run comes in, where the most exact one counts, and while a program runs"
      actions={
        mayChange ? (
          <>
            {query.data?.alerts_off === null ? <SwitchAlertsOff projectId={projectId} /> : null}
            <Button variant="primary" onPress={() => setNew(true)}>
              <PlusIcon />
              Set a threshold
            </Button>
          </>
        ) : undefined
      }
    >
      {query.data?.alerts_off == null ? null : (
        <AlertsAreOff projectId={projectId} off={query.data.alerts_off} />
      )}
      <Answer query={query} skeleton={<SkeletonTable rows={3} />}>
        {({ thresholds }) => (
          <DataTable
            label="Thresholds"
            rows={thresholds}
            rowKey={({ id }) => id}
            stacks
            sort={sort}
            onSort={(next) =>
              void navigate({
                search: (before) => ({ ...before, sort: next }),
                replace: true,
                resetScroll: false,
              })
            }
            whenEmpty="None: no alerts are raised."
            columns={[
              {
                key: 'for',
                title: 'For',
                grow: true,
                render: (threshold) => <Target projectId={projectId} threshold={threshold} />,
              },
              {
                key: 'test',
                title: 'Raised by',
                sortBy: ({ test }) => testLooks[test].words,
                render: ({ test, is_default }) => (
                  <span className="flex flex-wrap items-center gap-2 sm:whitespace-nowrap">
                    {testLooks[test].words}
                    {is_default ? <Badge>default</Badge> : null}
                  </span>
                ),
              },
              { key: 'limits', title: 'Limits', render: limitWords },
              {
                key: 'window',
                title: 'Looks at',
                hideBelow: 'lg',
                render: ({ window_runs, sample_min }) => (
                  <span className="whitespace-nowrap">
                    {window_runs} runs, at least {sample_min}
                  </span>
                ),
              },
              ...(mayChange
                ? [
                    actionsColumn((threshold: Threshold) => ({
                      of: targetWords(threshold),
                      actions: [
                        { label: 'Change…', onAction: () => setChanged(threshold) },
                        { label: 'Turn off…', onAction: () => setTurnedOff(threshold) },
                      ],
                    })),
                  ]
                : []),
            ]}
          />
        )}
      </Answer>
      <LiveThresholds projectId={projectId} target="live_app" />
      <LiveThresholds projectId={projectId} target="mcp_target" />
      {mayChange && (isNew || benchmark !== undefined) ? (
        <ThresholdDialog
          projectId={projectId}
          start={{ ...newDraft, benchmarkId: benchmark ?? '' }}
          isChange={false}
          onClose={() => {
            setNew(false)
            if (benchmark !== undefined) void navigate({ search: {}, replace: true })
          }}
        />
      ) : null}
      {changed === undefined ? null : (
        <ThresholdDialog
          projectId={projectId}
          start={draftOf(changed)}
          isChange
          onClose={() => setChanged(undefined)}
        />
      )}
      {turnedOff === undefined ? null : (
        <TurnOff projectId={projectId} threshold={turnedOff} onClose={() => setTurnedOff(undefined)} />
      )}
    </ProjectPage>
  )
}

function Target({ projectId, threshold }: { projectId: string; threshold: Threshold }) {
  const { branch, benchmark_id: benchmarkId, metric } = threshold
  return (
    <span className="block min-w-0">
      {benchmarkId === null ? (
        <Link
          to="/projects/$projectId/benchmarks"
          params={{ projectId }}
          className="font-medium hover:underline"
        >
          All benchmarks
        </Link>
      ) : (
        <Link
          to="/benchmarks/$benchmarkId"
          params={{ benchmarkId }}
          className="block truncate font-medium hover:underline"
        >
          <BenchmarkById benchmarkId={benchmarkId} />
        </Link>
      )}
      <span className="block truncate text-sm text-muted">
        {branch === null ? 'on all branches' : `on ${branch}`}
        {metric === null ? '' : `, ${metric}`}
      </span>
    </span>
  )
}

function targetWords({ branch, benchmark_id, metric }: Threshold): string {
  return [
    benchmark_id ?? 'all benchmarks',
    branch ?? 'all branches',
    ...(metric === null ? [] : [metric]),
  ].join(', ')
}

interface TurnOffProps {
  projectId: string
  threshold: Threshold
  onClose: () => void
}

function TurnOff({ projectId, threshold, onClose }: TurnOffProps) {
  const { branch, benchmarkId, metric } = draftOf(threshold)
  return (
    <ConfirmCall
      title="Turn this threshold off?"
      action="Turn off"
      operation={operations.setThreshold}
      input={{ repository: projectId, ...targetInput({ branch, benchmarkId, metric }), test: 'off' }}
      outdates={[operations.listThresholds, operations.checkRegression]}
      onDone={() => say('The threshold is off.')}
      onClose={onClose}
    >
      For {targetWords(threshold)}. What is more general counts there then, if there is any. Alerts that were
      raised stay.
    </ConfirmCall>
  )
}
