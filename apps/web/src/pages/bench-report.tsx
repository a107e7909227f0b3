import { operations } from '@flamegate/contract'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useEffect, useMemo } from 'react'
import { client, useAnswer } from '../api.ts'
import { Answer } from '../components/answer.tsx'
import { buttonClass } from '../components/button.tsx'
import { ProblemNote } from '../components/problem-note.tsx'
import { SkeletonBlock } from '../components/skeleton.tsx'
import { When } from '../components/when.tsx'
import { useNews } from '../live/use-news.ts'
import { isRunning } from '../reports/is-running.ts'
import { PrintedPage } from '../reports/printed-page.tsx'
import { ReportActions } from '../reports/report-actions.tsx'
import { ReportFrame } from '../reports/report-frame.tsx'
import { reportLead } from '../reports/report-lead.ts'
import type { ReportAnswer, ReportSource } from '../reports/report-source.ts'
import { ReportView } from '../reports/report-view.tsx'
import { useValuesAtEnd } from '../reports/use-values-at-end.ts'
import { useMayInProject } from '../shell/project-role.ts'

const route = getRouteApi('/app/reports/$reportId')
const valuesKey = [operations.getReportItemValues.id]

/** A report of one load test or several: read, or drawn for paper. */
export function BenchReportPage() {
  const { reportId } = route.useParams()
  const { print } = route.useSearch()
  const query = useAnswer(
    operations.getBenchReport,
    { bench_report_id: reportId },
    { pollWhile: isRunning, isLive: true },
  )
  const answer = query.data
  const report = answer?.bench_report
  const source = useSource(answer)
  useNews(answer === undefined || !isRunning(answer) ? undefined : `/v1/reports/${reportId}/events`)
  const mayChange = useMayInProject(report?.project_id, 'member')
  useValuesAtEnd(answer, valuesKey)
  useItemOfAddress(answer !== undefined)
  if (print === '1')
    return answer === undefined || source === undefined ? (
      query.error === null ? null : (
        <ProblemNote error={query.error} />
      )
    ) : (
      <>
        <PrintBar reportId={reportId} />
        <PrintedPage title={answer.bench_report.name} lead={reportLead(answer)} isNumbered>
          <ReportView report={answer} source={source} />
        </PrintedPage>
      </>
    )
  return (
    <ReportFrame
      reportId={reportId}
      current=""
      title={report?.name ?? 'Report'}
      lead={
        report === undefined ? undefined : (
          <span>
            Version {report.version}, <When at={report.updated_at} />
          </span>
        )
      }
      actions={report === undefined ? undefined : <ReportActions report={report} mayChange={mayChange} />}
    >
      <Answer query={query} skeleton={<SkeletonBlock height="40rem" />}>
        {(read) => (source === undefined ? null : <ReportView report={read} source={source} />)}
      </Answer>
    </ReportFrame>
  )
}

function useSource(answer: ReportAnswer | undefined): ReportSource | undefined {
  const reportId = answer?.bench_report.id
  const projectId = answer?.bench_report.project_id
  const isLive = answer !== undefined && isRunning(answer)
  return useMemo(
    () =>
      reportId === undefined || projectId === undefined
        ? undefined
        : {
            reportId,
            projectId,
            isLive,
            isShared: false,
            queryOf: (itemId) => {
              const input = { bench_report_id: reportId, item_id: itemId }
              return {
                queryKey: [operations.getReportItemValues.id, input],
                queryFn: ({ signal }) => client.call(operations.getReportItemValues, input, { signal }),
              }
            },
          },
    [reportId, projectId, isLive],
  )
}

/** Goes to the item that the address names, as soon as there are items. */
function useItemOfAddress(hasItems: boolean): void {
  useEffect(() => {
    if (hasItems) document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView()
  }, [hasItems])
}

/** Above what is drawn for paper, on the screen only. */
function PrintBar({ reportId }: { reportId: string }) {
  return (
    <div className="flex flex-wrap items-center gap-3 border-b border-line bg-surface px-4 py-3 print:hidden">
      <span className="grow">This is how it is printed. Print it with your browser.</span>
      <Link to="/reports/$reportId" params={{ reportId }} className={buttonClass()}>
        Back to the report
      </Link>
    </div>
  )
}
