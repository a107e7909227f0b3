import { operations } from '@flamegate/contract'
import type { AlertState } from '../alerts/alert.ts'
import { LoadMore } from '../components/load-more.tsx'
import { Section } from '../components/section.tsx'
import { usePages } from '../paged.ts'
import { useMayInProject } from '../shell/project-role.ts'
import { LiveAlertTable } from './live-alert-table.tsx'

const kinds = {
  live_app: { title: 'Live apps', about: 'Live app' },
  mcp_target: { title: 'MCP servers', about: 'MCP server' },
} as const

interface Props {
  projectId: string
  kind: keyof typeof kinds
  state: AlertState | 'all'
}

/** Alerts about running programs or MCP servers of a project; nothing while there are none. */
export function LiveAlerts({ projectId, kind, state }: Props) {
  const mayChange = useMayInProject(projectId, 'member')
  const { query, more } = usePages(
    operations.listPerformanceAlerts,
    { project_id: projectId, kind, state, limit: 20 },
    ({ alerts, next_cursor }) => ({
      rows: alerts.flatMap((alert) => (alert.kind === 'benchmark' ? [] : [alert])),
      nextCursor: next_cursor,
    }),
  )
  if (query.data === undefined || query.data.length === 0) return null
  const { title, about } = kinds[kind]
  return (
    <Section title={title}>
      <LiveAlertTable
        label={`Alerts of ${kind === 'live_app' ? 'live apps' : 'MCP servers'}`}
        about={about}
        alerts={query.data}
        mayChange={mayChange}
      />
      <LoadMore {...more} />
    </Section>
  )
}
