import { type LoadGeneratorShape, operations } from '@flamegate/contract'
import { engineTitle } from '@flamegate/loadtest/scenario'
import { Link } from '@tanstack/react-router'
import { useAnswer } from '../api.ts'
import { Badge } from '../components/badge.tsx'
import { DataTable } from '../components/data-table.tsx'
import { When } from '../components/when.tsx'

/** Agents that make load: which are there, and what they do. */
export function LoadGeneratorTable({ rows }: { rows: readonly LoadGeneratorShape[] }) {
  return (
    <DataTable
      label="Load generators"
      rows={rows}
      rowKey={({ id }) => id}
      stacks
      whenEmpty=""
      columns={[
        {
          key: 'name',
          title: 'Agent',
          grow: true,
          sortBy: ({ name }) => name.toLowerCase(),
          render: ({ name }) => <span className="block truncate font-medium">{name}</span>,
        },
        {
          key: 'state',
          title: 'State',
          sortBy: ({ is_online }) => Number(is_online),
          render: ({ is_online: isOnline }) => (
            <Badge tone={isOnline ? 'better' : 'plain'}>{isOnline ? 'online' : 'away'}</Badge>
          ),
        },
        { key: 'group', title: 'Group', sortBy: (row) => row.agent_group, render: (row) => row.agent_group },
        {
          key: 'work',
          title: 'Works on',
          render: ({ bench_result_id: id, is_online: isOnline }) =>
            id !== null && isOnline ? (
              <Work benchResultId={id} />
            ) : (
              <span className="text-muted">{isOnline ? 'nothing' : '–'}</span>
            ),
        },
        {
          key: 'engines',
          title: 'Other engines',
          hideBelow: 'sm',
          render: ({ engines }) =>
            engines.length === 0 ? (
              <span className="text-muted">–</span>
            ) : (
              <ul>
                {engines.map((engine) => (
                  <li key={engine.type} className="whitespace-nowrap">
                    {engineWords(engine)}
                  </li>
                ))}
              </ul>
            ),
        },
        {
          key: 'cores',
          title: 'Cores',
          align: 'right',
          sortBy: ({ cores }) => cores,
          render: ({ cores }) => (
            <span>
              {cores}
              <span className="text-muted sm:hidden">{cores === 1 ? ' core' : ' cores'}</span>
            </span>
          ),
        },
        {
          key: 'browsers',
          title: 'Browsers',
          align: 'right',
          hideBelow: 'sm',
          sortBy: ({ browser_users_max: users }) => users,
          render: ({ browser_users_max: users }) => (users === 0 ? 'none' : `for ${users} users`),
        },
        { key: 'version', title: 'Version', hideBelow: 'sm', render: ({ version }) => version },
        {
          key: 'seen',
          title: 'Last heard of',
          align: 'right',
          sortBy: ({ last_seen_at }) => last_seen_at,
          render: ({ last_seen_at }) => <When at={last_seen_at} />,
        },
      ]}
    />
  )
}

function Work({ benchResultId }: { benchResultId: string }) {
  const run = useAnswer(operations.getBenchResult, { bench_result_id: benchResultId }).data?.bench_result
  return run === undefined ? (
    benchResultId
  ) : (
    <Link
      to="/projects/$projectId/bench-results/$benchResultId"
      params={{ projectId: run.project_id, benchResultId }}
      className="text-link"
    >
      {run.name}
    </Link>
  )
}

/** A script is code that runs on that machine: only its owner can allow it. */
function engineWords({
  type,
  version,
  is_allowed: isAllowed,
}: LoadGeneratorShape['engines'][number]): string {
  const name = engineTitle(type)
  return isAllowed ? `${name} ${version ?? ''}`.trim() : `${name}, not allowed`
}
