import { operations, roleAtLeast } from '@flamegate/contract'
import { getRouteApi } from '@tanstack/react-router'
import { useAnswer } from '../api.ts'
import { Answer } from '../components/answer.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { SkeletonTable } from '../components/skeleton.tsx'
import { AddAgent } from '../load-generators/add-agent.tsx'
import { LoadGeneratorTable } from '../load-generators/load-generator-table.tsx'
import { WorkspacePage } from '../shell/page.tsx'
import { useMe } from '../shell/workspace.ts'

const route = getRouteApi('/app/workspaces/$workspaceId/load-generators')

/** The agents of a workspace that make load. */
export function LoadGeneratorsPage() {
  const { workspaceId } = route.useParams()
  const role = useMe().workspaces.find(({ id }) => id === workspaceId)?.role ?? 'viewer'
  const mayAdd = roleAtLeast(role, 'admin')
  const query = useAnswer(
    operations.listLoadGenerators,
    { workspace_id: workspaceId },
    { pollWhile: () => true },
  )
  return (
    <WorkspacePage
      workspaceId={workspaceId}
      title="Load generators"
      lead="Agents that make the load of scenarios, those that were heard of this week"
      actions={mayAdd ? <AddAgent workspaceId={workspaceId} /> : undefined}
    >
      <Answer query={query} skeleton={<SkeletonTable rows={3} />}>
        {({ load_generators: rows }) =>
          rows.length === 0 ? (
            <EmptyState title="No load generators yet">
              <p>
                A load generator runs where the load is to come from, with one command.{' '}
                {mayAdd ? 'Add an agent shows it.' : 'An admin of the workspace can add one.'}
              </p>
            </EmptyState>
          ) : (
            <>
              <LoadGeneratorTable rows={rows} />
              {rows.some(({ engines }) => engines.length > 0) ? (
                <p className="mt-4 text-sm text-muted">
                  Scripts of k6 and JMeter are code: they can do on the machine of an agent whatever its user
                  can, and send where they want. They run only where an agent was started with --allow-engine.
                </p>
              ) : null}
            </>
          )
        }
      </Answer>
    </WorkspacePage>
  )
}
