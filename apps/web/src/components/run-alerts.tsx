import { operations } from '@flamegate/contract'
import { useAnswer } from '../api.ts'
import { ofBenchmarks } from '../alerts/alert.ts'
import { AlertTable } from '../alerts/alert-table.tsx'
import { useMayInProject } from '../shell/project-role.ts'
import { Section } from './section.tsx'

/** The alerts that a run raised; nothing when there are none. */
export function RunAlerts({ projectId, runId }: { projectId: string; runId: string }) {
  const mayChange = useMayInProject(projectId, 'member')
  const { data } = useAnswer(operations.listPerformanceAlerts, {
    project_id: projectId,
    run_id: runId,
    state: 'all',
    limit: 100,
  })
  if (data === undefined || data.alerts.length === 0) return null
  return (
    <Section title="Alerts">
      <AlertTable alerts={ofBenchmarks(data.alerts)} mayChange={mayChange} whenEmpty="" />
    </Section>
  )
}
