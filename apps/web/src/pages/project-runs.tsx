import { operations, roleAtLeast } from '@flamegate/contract'
import { getRouteApi } from '@tanstack/react-router'
import { useAnswer } from '../api.ts'
import { Answer, NoAnswer } from '../components/answer.tsx'
import { Badge } from '../components/badge.tsx'
import { BranchFilter } from '../components/branch-filter.tsx'
import { DeleteProject } from '../components/delete-project.tsx'
import { LoadMore } from '../components/load-more.tsx'
import { RunTable } from '../components/run-table.tsx'
import { SkeletonLine, SkeletonTable } from '../components/skeleton.tsx'
import { UploadSteps } from '../components/upload-steps.tsx'
import { usePages } from '../paged.ts'
import { ProjectPage } from '../shell/page.tsx'
import { useMe } from '../shell/workspace.ts'

const route = getRouteApi('/app/projects/$projectId')

/** The runs of a project, by branch. */
export function ProjectRunsPage() {
  const { projectId } = route.useParams()
  const { branch } = route.useSearch()
  const navigate = route.useNavigate()
  const { workspaces } = useMe()
  const projectQuery = useAnswer(operations.getProject, { project_id: projectId })
  const project = projectQuery.data?.project
  const role = workspaces.find(({ id }) => id === project?.workspace_id)?.role
  const { query, more } = usePages(
    operations.listRuns,
    { repository: projectId, limit: 30, ...(branch === undefined ? {} : { branch }) },
    ({ runs, next_cursor }) => ({ rows: runs, nextCursor: next_cursor }),
  )
  if (projectQuery.isLoadingError) {
    return (
      <ProjectPage projectId={null} section="runs" title="Project">
        <NoAnswer query={projectQuery} />
      </ProjectPage>
    )
  }
  const hasRuns = (project?.run_count ?? 1) > 0
  return (
    <ProjectPage
      projectId={projectId}
      section="runs"
      title={project?.name ?? 'Project'}
      heading={project?.name ?? <SkeletonLine />}
      lead={
        project === undefined ? undefined : (
          <span className="flex flex-wrap items-center gap-2">
            {project.description || project.repository}
            {project.tags.map((tag) => (
              <Badge key={tag}>{tag}</Badge>
            ))}
          </span>
        )
      }
      actions={
        project !== undefined && role !== undefined && roleAtLeast(role, 'admin') ? (
          <DeleteProject project={project} />
        ) : undefined
      }
    >
      {hasRuns ? (
        <>
          <BranchFilter
            projectId={projectId}
            value={branch}
            onChange={(value) => void navigate({ search: value === undefined ? {} : { branch: value } })}
          />
          <Answer query={query} skeleton={<SkeletonTable rows={10} />}>
            {(runs) => (
              <>
                <RunTable
                  runs={runs}
                  whenEmpty={branch === undefined ? 'No runs yet.' : `No runs of the branch “${branch}”.`}
                />
                <LoadMore {...more} />
              </>
            )}
          </Answer>
        </>
      ) : (
        <UploadSteps projectId={projectId} />
      )}
    </ProjectPage>
  )
}
