import { operations } from '@flamegate/contract'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import {
  type Alert,
  type AlertAction,
  alertStates,
  chosenState,
  ofBenchmarks,
  possibleActions,
} from '../alerts/alert.ts'
import { actionVerb, AlertDialog } from '../alerts/alert-dialog.tsx'
import { AlertsAreOff } from '../alerts/alert-switch.tsx'
import { AlertTable } from '../alerts/alert-table.tsx'
import { useAnswer } from '../api.ts'
import { Answer } from '../components/answer.tsx'
import { BranchFilter } from '../components/branch-filter.tsx'
import { Button } from '../components/button.tsx'
import { Checkbox } from '../components/checkbox.tsx'
import { LoadMore } from '../components/load-more.tsx'
import { Select } from '../components/select.tsx'
import { SkeletonTable } from '../components/skeleton.tsx'
import { LiveAlerts } from '../live-alerts/live-alerts.tsx'
import { usePages } from '../paged.ts'
import { ProjectPage } from '../shell/page.tsx'
import { useMayInProject } from '../shell/project-role.ts'

const route = getRouteApi('/app/projects/$projectId/alerts')

const stateChoices = [...alertStates, 'all' as const].map((id) => ({
  id,
  label: id === 'all' ? 'All alerts' : `${id.charAt(0).toUpperCase()}${id.slice(1)}`,
}))

/** What got worse or better in a project, and what is done about it. */
export function ProjectAlertsPage() {
  const { projectId } = route.useParams()
  const { state: stateWord, branch, sort } = route.useSearch()
  const state = chosenState(stateWord)
  const navigate = route.useNavigate()
  const off = useAnswer(operations.listThresholds, { repository: projectId }).data?.alerts_off
  const narrow = (change: { state?: string; branch?: string; sort?: string }, replace = false) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace, resetScroll: false })
  const { query, more } = usePages(
    operations.listPerformanceAlerts,
    {
      project_id: projectId,
      kind: 'benchmark',
      state,
      limit: 50,
      ...(branch === undefined ? {} : { branch }),
    },
    ({ alerts, next_cursor }) => ({ rows: ofBenchmarks(alerts), nextCursor: next_cursor }),
  )
  return (
    <ProjectPage
      projectId={projectId}
      section="alerts"
      title="Alerts"
      lead="Changes that were found when runs came in, and programs that were beyond a threshold while they ran"
    >
      {off == null ? null : <AlertsAreOff projectId={projectId} off={off} />}
      <search aria-label="Filters" className="flex flex-wrap gap-3">
        <Select
          label="State"
          hideLabel
          className="w-44"
          choices={stateChoices}
          value={state}
          onChange={(id) => narrow({ state: id === 'open' ? '' : id })}
        />
        <BranchFilter
          projectId={projectId}
          value={branch}
          onChange={(value) => narrow({ branch: value ?? '' })}
        />
      </search>
      {branch === undefined ? (
        <>
          <LiveAlerts projectId={projectId} kind="live_app" state={state} />
          <LiveAlerts projectId={projectId} kind="mcp_target" state={state} />
        </>
      ) : null}
      <Answer query={query} skeleton={<SkeletonTable rows={6} />}>
        {(alerts) => (
          <>
            <Alerts
              // A selection is of what is shown.
              key={`${state} ${branch ?? ''}`}
              projectId={projectId}
              alerts={alerts}
              sort={sort}
              onSort={(next) => narrow({ sort: next }, true)}
              whenEmpty={state === 'open' ? 'Nothing is open. All quiet.' : 'No alerts that fit.'}
            />
            <LoadMore {...more} />
          </>
        )}
      </Answer>
    </ProjectPage>
  )
}

interface AlertsProps {
  projectId: string
  alerts: readonly Alert[]
  sort: string | undefined
  onSort: (sort: string) => void
  whenEmpty: string
}

function Alerts({ projectId, alerts, ...table }: AlertsProps) {
  const mayChange = useMayInProject(projectId, 'member')
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const [asked, setAsked] = useState<AlertAction>()
  const chosen = alerts.filter(({ id }) => ids.has(id))
  if (!mayChange || alerts.length === 0) {
    return <AlertTable alerts={alerts} mayChange={mayChange} {...table} />
  }
  return (
    <div className="flex flex-col gap-3">
      <div className="flex min-h-9 flex-wrap items-center gap-x-4 gap-y-2 px-4">
        <Checkbox
          isSelected={chosen.length === alerts.length}
          isIndeterminate={chosen.length > 0 && chosen.length < alerts.length}
          onChange={(isSelected) => setIds(new Set(isSelected ? alerts.map(({ id }) => id) : []))}
        >
          {chosen.length === 0 ? 'Select all' : `${chosen.length} selected`}
        </Checkbox>
        {possibleActions(chosen.map(({ state }) => state)).map((action) => (
          <Button key={action} onPress={() => setAsked(action)}>
            {actionVerb(action)}…
          </Button>
        ))}
      </div>
      <AlertTable
        alerts={alerts}
        mayChange
        selection={{
          ids,
          onToggle: (id) =>
            setIds(
              (before) =>
                new Set(before.has(id) ? [...before].filter((each) => each !== id) : [...before, id]),
            ),
        }}
        {...table}
      />
      {asked === undefined ? null : (
        <AlertDialog
          action={asked}
          alerts={chosen}
          onClose={() => {
            setAsked(undefined)
            setIds(new Set())
          }}
        />
      )}
    </div>
  )
}
