import { operations } from '@flamegate/contract'
import { Link } from '@tanstack/react-router'
import { useAnswer } from '../api.ts'
import { AddAgent } from '../load-generators/add-agent.tsx'
import { useMayInProject } from '../shell/project-role.ts'
import type { Shard } from './shard-table.tsx'

interface Props {
  projectId: string
  shards: readonly Shard[]
}

/** Which agents a load test waits for before it begins, and how to start one. */
export function WaitingForAgents({ projectId, shards }: Props) {
  const groups = [
    ...new Set(shards.flatMap(({ state, agent_group }) => (state === 'WAITING' ? [agent_group] : []))),
  ]
  const workspaceId = useAnswer(operations.getProject, { project_id: projectId }).data?.project.workspace_id
  const mayAdd = useMayInProject(projectId, 'admin')
  if (groups.length === 0 || workspaceId === undefined) return null
  return (
    <section
      aria-label="Waiting for agents"
      className="flex flex-col items-start gap-3 rounded-lg border border-line bg-caution-soft p-4"
    >
      <p>
        It begins as soon as an agent of {groups.length === 1 ? 'the group' : 'each of the groups'}{' '}
        <strong className="font-semibold">{groups.join(', ')}</strong> is ready, and is given up when none
        comes within a minute.{' '}
        {mayAdd ? 'A command starts one, anywhere.' : 'An admin of the workspace can add one.'}{' '}
        <Link
          to="/workspaces/$workspaceId/load-generators"
          params={{ workspaceId }}
          className="text-link whitespace-nowrap"
        >
          See which are there
        </Link>
      </p>
      {mayAdd ? (
        <div className="flex flex-wrap gap-2">
          {groups.map((group) => (
            <AddAgent key={group} workspaceId={workspaceId} group={group} />
          ))}
        </div>
      ) : null}
    </section>
  )
}
