import { operations } from '@flamegate/contract'
import { Link } from '@tanstack/react-router'
import { useAnswer } from '../api.ts'
import { Answer } from '../components/answer.tsx'
import { buttonClass } from '../components/button.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { PlugIcon } from '../components/icons.tsx'
import { ProjectCard } from '../components/project-card.tsx'
import { SkeletonBlock } from '../components/skeleton.tsx'
import { UploadSteps } from '../components/upload-steps.tsx'
import { NewProject } from '../components/new-project.tsx'
import { Page, WorkspacePage } from '../shell/page.tsx'
import { useMe, useWorkspace, type Workspace } from '../shell/workspace.ts'

/** The projects of the chosen workspace with their latest activity. */
export function HomePage() {
  const workspace = useWorkspace()
  return workspace === undefined ? <NoWorkspace /> : <Projects workspace={workspace} />
}

function Projects({ workspace }: { workspace: Workspace }) {
  const query = useAnswer(operations.listProjects, { workspace_id: workspace.id, limit: 24 })
  return (
    <WorkspacePage
      isHome
      workspaceId={workspace.id}
      title={workspace.name}
      actions={<NewProject workspace={workspace} />}
      lead="Projects and what happened in them last"
    >
      <Answer query={query} skeleton={<CardSkeletons />}>
        {({ projects, next_cursor }) =>
          projects.length === 0 ? (
            <FirstSteps />
          ) : (
            <div className="flex flex-col gap-6">
              <div className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,22rem),1fr))] gap-4">
                {projects.map((project) => (
                  <ProjectCard key={project.id} project={project} />
                ))}
              </div>
              {next_cursor === null ? null : (
                <Link
                  to="/workspaces/$workspaceId/projects"
                  params={{ workspaceId: workspace.id }}
                  className={buttonClass('secondary', 'self-center')}
                >
                  All projects
                </Link>
              )}
              {projects.every(({ run_count, profile_count }) => run_count + profile_count === 0) ? (
                <UploadSteps projectId={projects[0]?.id} />
              ) : null}
            </div>
          )
        }
      </Answer>
    </WorkspacePage>
  )
}

function FirstSteps() {
  return (
    <div className="flex flex-col gap-6">
      <EmptyState title="No projects yet">
        <p>
          A project holds the runs, benchmarks and profiles of one repository. Make one, or connect an agent
          and ask it to: “Create a Flamegate project for this repository and upload its benchmarks.”
        </p>
        <Link to="/connect" className={buttonClass('primary', 'self-start')}>
          <PlugIcon />
          Connect a client
        </Link>
      </EmptyState>
      <UploadSteps projectId={undefined} />
    </div>
  )
}

function NoWorkspace() {
  const { user } = useMe()
  return (
    <Page title="Welcome">
      <EmptyState title="You are in no workspace">
        <p>Ask an admin of a workspace to add {user.email} as a member.</p>
      </EmptyState>
    </Page>
  )
}

function CardSkeletons() {
  return (
    <div className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,22rem),1fr))] gap-4">
      {Array.from({ length: 6 }, (_, index) => (
        <SkeletonBlock key={index} height="11.5rem" />
      ))}
    </div>
  )
}
