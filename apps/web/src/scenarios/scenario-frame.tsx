import { operations } from '@flamegate/contract'
import type { ComponentProps, ReactNode } from 'react'
import { useAnswer } from '../api.ts'
import { NoAnswer } from '../components/answer.tsx'
import { ScenarioTabs } from '../shell/design-tabs.tsx'
import { ProjectPage } from '../shell/page.tsx'

interface Props {
  scenarioId: string
  current: ComponentProps<typeof ScenarioTabs>['current']
  title: string
  lead?: ReactNode
  children: ReactNode
}

/** A page about something of a scenario, with the ways to the others and to what it belongs to. */
export function ScenarioFrame({ scenarioId, current, children, ...page }: Props) {
  const query = useAnswer(operations.getScenario, { scenario_id: scenarioId })
  const scenario = query.data?.scenario
  return (
    <ProjectPage
      {...page}
      projectId={scenario?.project_id ?? (query.error === null ? undefined : null)}
      section="scenarios"
      crumbs={
        scenario === undefined
          ? []
          : [
              { label: 'Scenarios', href: `/projects/${scenario.project_id}/scenarios` },
              ...(current === '' ? [] : [{ label: scenario.name, href: `/scenarios/${scenario.id}` }]),
            ]
      }
    >
      {query.isLoadingError ? (
        <NoAnswer query={query} />
      ) : (
        <>
          <ScenarioTabs scenarioId={scenarioId} current={current} />
          {children}
        </>
      )}
    </ProjectPage>
  )
}
