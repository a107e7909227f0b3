import { operations } from '@flamegate/contract'
import { getRouteApi } from '@tanstack/react-router'
import { client, useAnswer } from '../api.ts'
import { Answer } from '../components/answer.tsx'
import { SkeletonBlock } from '../components/skeleton.tsx'
import { ReportChanges } from '../reports/report-changes.tsx'
import { ReportFrame } from '../reports/report-frame.tsx'
import { outdatedByReportChange } from '../reports/outdated.ts'
import { useMayInProject } from '../shell/project-role.ts'
import { RestoreVersion } from '../versions/restore-version.tsx'
import { useVersions, versionsPerPage } from '../versions/use-versions.ts'
import { VersionHistory } from '../versions/version-history.tsx'

const route = getRouteApi('/app/reports/$reportId/versions')

/** Every version of a report; two are compared, and an earlier one is brought back. */
export function BenchReportVersionsPage() {
  const { reportId } = route.useParams()
  const { compare, with: other } = route.useSearch()
  const navigate = route.useNavigate()
  const report = useAnswer(operations.getBenchReport, { bench_report_id: reportId }).data?.bench_report
  const mayChange = useMayInProject(report?.project_id, 'member')
  const query = useVersions([operations.listBenchReportVersions.id, reportId], (before, signal) =>
    client.call(
      operations.listBenchReportVersions,
      { bench_report_id: reportId, limit: versionsPerPage, before_version: before },
      { signal },
    ),
  )
  return (
    <ReportFrame reportId={reportId} current="/versions" title="Versions">
      <VersionHistory
        query={query}
        mayRestore={mayChange}
        from={compare}
        to={other}
        onCompare={(from, to) =>
          void navigate({
            search: { compare: String(from), with: String(to) },
            replace: true,
            resetScroll: false,
          })
        }
        renderChanges={(from, to) => <Changes reportId={reportId} from={from} to={to} />}
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

function Changes({ reportId, from, to }: { reportId: string; from: number; to: number }) {
  const query = useAnswer(
    operations.listBenchReportVersions,
    { bench_report_id: reportId, compare: `${from}..${to}`, limit: 1 },
    { keepPrevious: true },
  )
  return (
    <Answer query={query} skeleton={<SkeletonBlock height="10rem" />}>
      {({ changes, change_count }) => <ReportChanges changes={changes ?? []} count={change_count ?? 0} />}
    </Answer>
  )
}
