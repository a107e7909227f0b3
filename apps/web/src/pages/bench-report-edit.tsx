import { operations } from '@flamegate/contract'
import { getRouteApi } from '@tanstack/react-router'
import { useAnswer } from '../api.ts'
import { Answer } from '../components/answer.tsx'
import { SkeletonBlock } from '../components/skeleton.tsx'
import { ReportEditor } from '../reports/report-editor.tsx'
import { ReportFrame } from '../reports/report-frame.tsx'
import { useMayInProject } from '../shell/project-role.ts'

const route = getRouteApi('/app/reports/$reportId/edit')

/** The editor of a report. */
export function BenchReportEditPage() {
  const { reportId } = route.useParams()
  const query = useAnswer(operations.getBenchReport, { bench_report_id: reportId })
  const report = query.data?.bench_report
  const mayChange = useMayInProject(report?.project_id, 'member')
  return (
    <ReportFrame reportId={reportId} current="/edit" title={report?.name ?? 'Report'}>
      <Answer query={query} skeleton={<SkeletonBlock height="40rem" />}>
        {(saved) =>
          mayChange ? (
            <ReportEditor key={reportId} saved={saved} />
          ) : (
            <p className="text-muted">Members of the workspace can change it.</p>
          )
        }
      </Answer>
    </ReportFrame>
  )
}
