import { operations } from '@flamegate/contract'
import { getRouteApi } from '@tanstack/react-router'
import { useAnswer } from '../api.ts'
import { DocumentChanges } from '../versions/document-changes.tsx'
import { ReportFrame } from '../reports/report-frame.tsx'
import { outdatedByReportChange } from '../reports/outdated.ts'
import { useMayInProject } from '../shell/project-role.ts'
import { RestoreVersion } from '../versions/restore-version.tsx'
import { versionsOf } from '../versions/use-versions.ts'
import { VersionHistory } from '../versions/version-history.tsx'

const route = getRouteApi('/app/reports/$reportId/versions')

/** Every version of a report; two are compared, and an earlier one is brought back. */
export function BenchReportVersionsPage() {
  const { reportId } = route.useParams()
  const compared = route.useSearch()
  const navigate = route.useNavigate()
  const report = useAnswer(operations.getBenchReport, { bench_report_id: reportId }).data?.bench_report
  const mayChange = useMayInProject(report?.project_id, 'member')
  return (
    <ReportFrame reportId={reportId} current="/versions" title="Versions">
      <VersionHistory
        source={versionsOf(operations.listBenchReportVersions, { bench_report_id: reportId })}
        mayRestore={mayChange}
        compared={compared}
        onCompare={(search) => void navigate({ search, replace: true, resetScroll: false })}
        renderChanges={(changes, count) => <DocumentChanges changes={changes} count={count} />}
        renderRestore={(version, onClose) => (
          <RestoreVersion
            operation={operations.patchBenchReport}
            input={{ bench_report_id: reportId, restore_version: version }}
            outdates={outdatedByReportChange}
            version={version}
            versionOf={({ bench_report: restored }) => restored.version}
            onClose={onClose}
          />
        )}
      />
    </ReportFrame>
  )
}
