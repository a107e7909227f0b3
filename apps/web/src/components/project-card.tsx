import { type AnswerOf, operations } from '@flamegate/contract'
import { Link } from '@tanstack/react-router'
import { useAnswer } from '../api.ts'
import { SkeletonLine } from './skeleton.tsx'
import { RunStatus } from './run-status.tsx'
import { When } from './when.tsx'

export type Project = AnswerOf<typeof operations.listProjects>['projects'][number]

/** A project at a glance: what it is, how much it holds, its latest run. */
export function ProjectCard({ project }: { project: Project }) {
  return (
    <article className="relative flex min-h-[11.5rem] flex-col gap-2 rounded-lg border border-line bg-surface p-4 shadow-raised hover:border-line-strong">
      <h2 className="text-lg font-semibold">
        <Link
          to="/projects/$projectId"
          params={{ projectId: project.id }}
          className="rounded-sm break-words after:absolute after:inset-0"
        >
          {project.name}
        </Link>
      </h2>
      <p className="line-clamp-2 text-muted">
        {project.description || project.repository || 'No description'}
      </p>
      <p className="text-sm text-muted">
        {count(project.run_count, 'run')} · {count(project.benchmark_count, 'benchmark')} ·{' '}
        {count(project.profile_count, 'profile')}
      </p>
      <div className="mt-auto border-t border-line pt-2.5 text-sm">
        {project.run_count === 0 ? (
          <p className="text-muted">
            No runs yet; changed <When at={project.updated_at} />
          </p>
        ) : (
          <LatestRun projectId={project.id} />
        )}
      </div>
    </article>
  )
}

function LatestRun({ projectId }: { projectId: string }) {
  const { data, error } = useAnswer(operations.listRuns, { repository: projectId, limit: 1 })
  const run = data?.runs[0]
  if (error !== null) return <p className="text-muted">The latest run could not be read.</p>
  if (run === undefined) return <SkeletonLine width="70%" />
  return (
    <div className="flex items-center justify-between gap-3">
      <Link
        to="/runs/$runId"
        params={{ runId: run.id }}
        className="relative min-w-0 truncate rounded-sm hover:underline"
      >
        <span className="font-medium">{run.branch}</span>{' '}
        <span className="text-muted">{run.commit_message.split('\n')[0] || run.commit_hash.slice(0, 9)}</span>
      </Link>
      <span className="flex shrink-0 items-center gap-2 text-muted">
        {run.status === 'COMPLETED' ? null : <RunStatus status={run.status} />}
        <When at={run.created_at} />
      </span>
    </div>
  )
}

function count(value: number, noun: string): string {
  return `${value.toLocaleString()} ${noun}${value === 1 ? '' : 's'}`
}
