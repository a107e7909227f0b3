import type { AnswerOf, operations } from '@flamegate/contract'
import { Caution } from '../components/caution.tsx'
import { planFields } from './plan-fields.ts'

type Consequences = Pick<AnswerOf<typeof operations.setPlan>, 'exceeded' | 'removed'>

const kinds: Record<Consequences['removed'][number]['kind'], readonly [one: string, many: string]> = {
  runs: ['benchmark run', 'benchmark runs'],
  profiles: ['profile', 'profiles'],
  bench_results: ['load test', 'load tests'],
  live_recordings: ['live recording', 'live recordings'],
  mcp_sessions: ['session of an MCP server', 'sessions of MCP servers'],
}

/** Whether nobody would notice. */
export function isHarmless({ exceeded, removed }: Consequences): boolean {
  return exceeded.length === 0 && removed.length === 0
}

/** What other limits would mean for the workspaces that have them. */
export function PlanConsequences({ exceeded, removed }: Consequences) {
  return (
    <>
      {exceeded.map(({ limit, most, workspace_count, most_used }) => {
        const field = planFields.find(({ name }) => name === `limits.${limit}`)
        const inWords = field?.inWords ?? String
        return (
          <Caution key={limit}>
            <strong>{field?.label}</strong>: {workspaces(workspace_count)}{' '}
            {workspace_count === 1 ? 'has' : 'have'} more than {inWords(most)} now, up to {inWords(most_used)}
            . Nothing of it goes, and nothing can be added.
          </Caution>
        )
      })}
      {removed.map(({ kind, count, workspace_count }) => (
        <Caution key={kind}>
          <strong>
            {count.toLocaleString()} {kinds[kind][count === 1 ? 0 : 1]}
          </strong>{' '}
          of {workspaces(workspace_count)} {count === 1 ? 'is' : 'are'} older, and{' '}
          {count === 1 ? 'goes' : 'go'} within an hour, for good.
        </Caution>
      ))}
    </>
  )
}

function workspaces(count: number): string {
  return count === 1 ? 'one workspace' : `${count.toLocaleString()} workspaces`
}
