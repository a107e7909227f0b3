import { readProblem } from '@flamegate/client'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { Mark } from '../components/icons.tsx'
import { GoneLink, LinkOfMembers, LoadingLink } from '../components/link-of-members.tsx'
import { When } from '../components/when.tsx'
import { isRunning } from '../reports/is-running.ts'
import { PrintedPage } from '../reports/printed-page.tsx'
import { reportLead } from '../reports/report-lead.ts'
import type { ItemAnswer, ReportAnswer, ReportSource } from '../reports/report-source.ts'
import { ReportView } from '../reports/report-view.tsx'
import { useValuesAtEnd } from '../reports/use-values-at-end.ts'

type SharedReport = ReportAnswer & { expires_at: string }

const route = getRouteApi('/shared/reports/$linkId')

/** Where a link to a report leads: members to the report's page, whoever has a public one to what it shows. */
export function SharedBenchReportPage() {
  const { linkId } = route.useParams()
  const { print } = route.useSearch()
  // Links within a report may write over what stands behind the #.
  const [secret] = useState(() => location.hash.slice(1))
  const queryKey = useMemo(() => ['shared report', linkId], [linkId])
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => readShared<SharedReport>(linkId, '', secret, signal),
    enabled: secret !== '',
    refetchInterval: ({ state }) => (state.data !== undefined && isRunning(state.data) ? 2000 : false),
  })
  const report = query.data
  const source = useSource(linkId, secret, report)
  useValuesAtEnd(report, queryKey)
  if (print === '1' && report !== undefined && source !== undefined)
    return (
      <PrintedPage title={report.bench_report.name} lead={reportLead(report)}>
        <ReportView report={report} source={source} />
      </PrintedPage>
    )
  return (
    <div className="mx-auto flex min-h-dvh max-w-6xl flex-col gap-5 px-4 py-6 sm:px-8">
      <title>{`${report?.bench_report.name ?? 'Shared report'} – Flamegate`}</title>
      <header className="flex items-center gap-2.5 text-lg font-semibold">
        <Mark className="size-7" />
        Flamegate
      </header>
      <main className="flex flex-col gap-6">
        {secret === '' ? (
          <LinkOfMembers linkId={linkId} />
        ) : query.isLoadingError ? (
          <GoneLink query={query} />
        ) : report === undefined || source === undefined ? (
          <LoadingLink />
        ) : (
          <>
            <div>
              <h1 className="text-2xl font-semibold tracking-tight break-words">
                {report.bench_report.name}
              </h1>
              <p className="mt-1 text-muted">
                {reportLead(report)}. This link ends <When at={report.expires_at} />.
              </p>
            </div>
            <ReportView report={report} source={source} />
          </>
        )}
      </main>
    </div>
  )
}

function useSource(
  linkId: string,
  secret: string,
  report: ReportAnswer | undefined,
): ReportSource | undefined {
  const reportId = report?.bench_report.id
  const projectId = report?.bench_report.project_id
  const isLive = report !== undefined && isRunning(report)
  return useMemo(
    () =>
      reportId === undefined || projectId === undefined
        ? undefined
        : {
            reportId,
            projectId,
            isLive,
            isShared: true,
            queryOf: (itemId) => ({
              queryKey: ['shared report', linkId, itemId],
              queryFn: ({ signal }) =>
                readShared<ItemAnswer>(linkId, `/items/${encodeURIComponent(itemId)}/values`, secret, signal),
            }),
          },
    [reportId, projectId, isLive, linkId, secret],
  )
}

async function readShared<T>(linkId: string, path: string, secret: string, signal: AbortSignal): Promise<T> {
  const answer = await fetch(`/v1/shared/reports/${encodeURIComponent(linkId)}${path}`, {
    headers: { authorization: `Bearer ${secret}` },
    credentials: 'omit',
    signal,
  })
  if (!answer.ok) throw await readProblem(answer)
  return answer.json()
}
