import { operations } from '@flamegate/contract'
import type { ComponentProps, ReactNode } from 'react'
import { useAnswer } from '../api.ts'
import { NoAnswer } from '../components/answer.tsx'
import { ReportTabs } from '../shell/design-tabs.tsx'
import { ProjectPage } from '../shell/page.tsx'
import { useMayInProject } from '../shell/project-role.ts'

interface Props {
  reportId: string
  current: ComponentProps<typeof ReportTabs>['current']
  title: string
  lead?: ReactNode
  actions?: ReactNode
  children: ReactNode
}

/** A page about something of a report, with the ways to the others and to what it belongs to. */
export function ReportFrame({ reportId, current, children, ...page }: Props) {
  const query = useAnswer(operations.getBenchReport, { bench_report_id: reportId })
  const report = query.data?.bench_report
  const mayChange = useMayInProject(report?.project_id, 'member')
  return (
    <ProjectPage
      {...page}
      projectId={report?.project_id ?? (query.error === null ? undefined : null)}
      section="reports"
      crumbs={
        report === undefined
          ? []
          : [
              { label: 'Reports', href: `/projects/${report.project_id}/reports` },
              ...(current === '' ? [] : [{ label: report.name, href: `/reports/${report.id}` }]),
            ]
      }
    >
      {query.isLoadingError ? (
        <NoAnswer query={query} />
      ) : (
        <>
          <ReportTabs reportId={reportId} current={current} mayChange={mayChange} />
          {children}
        </>
      )}
    </ProjectPage>
  )
}
