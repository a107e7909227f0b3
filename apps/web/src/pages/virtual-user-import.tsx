import { type AnswerOf, operations } from '@flamegate/contract'
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useAnswer, useCall } from '../api.ts'
import { Answer } from '../components/answer.tsx'
import { Button, buttonClass } from '../components/button.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { ProblemNote } from '../components/problem-note.tsx'
import { ProgressBar } from '../components/progress-bar.tsx'
import { SkeletonBlock } from '../components/skeleton.tsx'
import { DesignTabs } from '../shell/design-tabs.tsx'
import { ProjectPage } from '../shell/page.tsx'
import { ImportForm } from '../virtual-users/import-form.tsx'
import { ImportReport } from '../virtual-users/import-report.tsx'

const formRoute = getRouteApi('/app/projects/$projectId/virtual-users/import')
const reportRoute = getRouteApi('/app/imports/$taskId')

function crumbsOf(projectId: string | undefined) {
  return projectId === undefined
    ? []
    : [{ label: 'Virtual users', href: `/projects/${projectId}/virtual-users` }]
}

/** Where a recording or a test is brought in. */
export function NewVirtualUserImportPage() {
  const { projectId } = formRoute.useParams()
  return (
    <ProjectPage
      projectId={projectId}
      section="virtual-users"
      title="Import"
      lead="Make virtual users of a recording, or of a test that you have"
      crumbs={crumbsOf(projectId)}
    >
      <DesignTabs projectId={projectId} current="virtual-users" />
      <ImportForm projectId={projectId} />
    </ProjectPage>
  )
}

type Task = AnswerOf<typeof operations.getTaskResult>['task']

/** How far an import is; when it is done, what became of everything in the source. */
export function VirtualUserImportPage() {
  const { taskId } = reportRoute.useParams()
  const { project, outcome, search } = reportRoute.useSearch()
  const navigate = reportRoute.useNavigate()
  const query = useAnswer(
    operations.getTaskResult,
    { task_id: taskId },
    { pollWhile: ({ task }) => isOpen(task) },
  )
  const isDone = query.data?.task.status === 'SUCCESS'
  useOutdatedByImport(isDone)
  const head = useAnswer(operations.getImportReport, { task_id: taskId, limit: 1 }, { enabled: isDone }).data
  const projectId = head?.project_id ?? project
  return (
    <ProjectPage
      projectId={projectId ?? (query.error === null ? undefined : null)}
      section="virtual-users"
      title={head === undefined ? 'Import' : `Import of ${head.file_name}`}
      crumbs={crumbsOf(projectId)}
    >
      <Answer query={query} skeleton={<SkeletonBlock height="10rem" />}>
        {({ task }) =>
          isDone ? (
            <ImportReport
              taskId={taskId}
              outcome={outcome}
              search={search}
              onChange={(part) =>
                void navigate({
                  search: (before) => ({ ...before, ...part }),
                  replace: true,
                  resetScroll: false,
                })
              }
            />
          ) : isOpen(task) ? (
            <Running task={task} />
          ) : (
            <NotDone task={task} projectId={projectId} />
          )
        }
      </Answer>
    </ProjectPage>
  )
}

const outdatedByImport = [
  operations.listVirtualUsers,
  operations.listVariables,
  operations.listHttpServers,
  operations.listCorrelationRules,
  operations.listProjectFiles,
]

/** What was asked for before the import lacks what it made. */
function useOutdatedByImport(isDone: boolean): void {
  const queries = useQueryClient()
  useEffect(() => {
    if (!isDone) return
    for (const { id } of outdatedByImport) void queries.invalidateQueries({ queryKey: [id] })
  }, [isDone, queries])
}

function isOpen({ status }: Task): boolean {
  return status === 'PENDING' || status === 'RUNNING'
}

function Running({ task }: { task: Task }) {
  const cancel = useCall(operations.cancelTask, [operations.getTaskResult])
  return (
    <div className="flex flex-col items-start gap-4">
      <ProgressBar label={task.message || 'Waiting for its turn'} percent={task.progress_percent} />
      {cancel.error === null ? null : <ProblemNote error={cancel.error} />}
      <Button isDisabled={cancel.isPending} onPress={() => cancel.mutate({ task_id: task.id })}>
        Call off
      </Button>
    </div>
  )
}

function NotDone({ task, projectId }: { task: Task; projectId: string | undefined }) {
  return (
    <EmptyState
      title={task.status === 'CANCELLED' ? 'The import was called off' : 'It could not be imported'}
    >
      <p className="break-words">{task.problem?.detail ?? task.message}</p>
      <p>Nothing of it was stored.</p>
      {projectId === undefined ? null : (
        <Link
          to="/projects/$projectId/virtual-users/import"
          params={{ projectId }}
          className={buttonClass('primary')}
        >
          Import something else
        </Link>
      )}
    </EmptyState>
  )
}
