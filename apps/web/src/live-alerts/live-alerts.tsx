import { operations } from '@flamegate/contract'
import type { AlertState } from '../alerts/alert.ts'
import { LoadMore } from '../components/load-more.tsx'
import { Section } from '../components/section.tsx'
import { usePages } from '../paged.ts'
import { useMayInProject } from '../shell/project-role.ts'
import { LiveAlertTable } from './live-alert-table.tsx'

/** Alerts about programs of a project that run; nothing while there are none. */
export function LiveAlerts({ projectId, state }: { projectId: string; state: AlertState | 'all' }) {
  const mayChange = useMayInProject(projectId, 'member')
  const { query, more } = usePages(
    operations.listPerformanceAlerts,
    { project_id: projectId, kind: 'live_app', state, limit: 20 },
    ({ alerts, next_cursor }) => ({
      rows: alerts.flatMap((alert) => (alert.kind === 'live_app' ? [alert] : [])),
      nextCursor: next_cursor,
    }),
  )
  if (query.data === undefined || query.data.length === 0) return null
  return (
    <Section title="Live apps">
      <LiveAlertTable alerts={query.data} mayChange={mayChange} />
      <LoadMore {...more} />
    </Section>
  )
}
