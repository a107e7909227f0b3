import { operations } from '@flamegate/contract'
import { getRouteApi } from '@tanstack/react-router'
import { useDeferredValue, useState } from 'react'
import { Answer } from '../components/answer.tsx'
import { LoadMore } from '../components/load-more.tsx'
import { NewProject } from '../components/new-project.tsx'
import { ProjectTable } from '../components/project-table.tsx'
import { SearchField } from '../components/search-field.tsx'
import { SkeletonTable } from '../components/skeleton.tsx'
import { usePages } from '../paged.ts'
import { WorkspacePage } from '../shell/page.tsx'
import { useMe } from '../shell/workspace.ts'

const route = getRouteApi('/app/workspaces/$workspaceId/projects')

/** All projects of a workspace. */
export function WorkspaceProjectsPage() {
  const { workspaceId } = route.useParams()
  const workspace = useMe().workspaces.find(({ id }) => id === workspaceId)
  const [words, setWords] = useState('')
  const search = useDeferredValue(words.trim())
  const { query, more } = usePages(
    operations.listProjects,
    { workspace_id: workspaceId, limit: 50, ...(search === '' ? {} : { search }) },
    ({ projects, next_cursor }) => ({ rows: projects, nextCursor: next_cursor }),
  )
  return (
    <WorkspacePage
      workspaceId={workspaceId}
      title="Projects"
      actions={workspace === undefined ? undefined : <NewProject workspace={workspace} />}
    >
      <SearchField label="Find a project" value={words} onChange={setWords} className="max-w-sm" />
      <Answer query={query} skeleton={<SkeletonTable />}>
        {(projects) => (
          <>
            <ProjectTable
              projects={projects}
              whenEmpty={search === '' ? 'No projects yet.' : `No project is called “${search}”.`}
            />
            <LoadMore {...more} />
          </>
        )}
      </Answer>
    </WorkspacePage>
  )
}
