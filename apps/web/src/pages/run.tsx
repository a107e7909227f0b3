import { type AnswerOf, formatQuantity, operations } from '@flamegate/contract'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useAnswer } from '../api.ts'
import { Answer } from '../components/answer.tsx'
import { BenchmarkName } from '../components/benchmark-name.tsx'
import { buttonClass } from '../components/button.tsx'
import { DataTable } from '../components/data-table.tsx'
import { EnvironmentFacts } from '../components/environment-facts.tsx'
import { Facts } from '../components/facts.tsx'
import { FlameLink } from '../components/flame-link.tsx'
import { ProfileTable } from '../components/profile-table.tsx'
import { RunAlerts } from '../components/run-alerts.tsx'
import { RunStatus } from '../components/run-status.tsx'
import { SearchField } from '../components/search-field.tsx'
import { Section } from '../components/section.tsx'
import { Select } from '../components/select.tsx'
import { SkeletonBlock, SkeletonLine, SkeletonTable } from '../components/skeleton.tsx'
import { Warnings } from '../components/warnings.tsx'
import { When } from '../components/when.tsx'
import { useFilterWords } from '../filter-words.ts'
import { ProjectPage } from '../shell/page.tsx'

const route = getRouteApi('/app/runs/$runId')

type RunAnswer = AnswerOf<typeof operations.getRun>

const allInstruments = '*'

/** One run: what was measured, where, and every result. */
export function RunPage() {
  const { runId } = route.useParams()
  const query = useAnswer(
    operations.getRun,
    { run_id: runId, limit: 10_000 },
    { pollWhile: ({ run }) => run.status === 'PENDING' },
  )
  const run = query.data?.run
  const firstLine = run?.commit_message.split('\n')[0] ?? ''
  const title = run === undefined ? 'Run' : firstLine || `Run of ${run.branch}`
  return (
    <ProjectPage
      projectId={run?.project_id ?? (query.error === null ? undefined : null)}
      section="runs"
      title={title}
      heading={run === undefined && query.error === null ? <SkeletonLine width="20rem" /> : title}
      actions={
        run === undefined ? undefined : (
          <>
            <Link to="/runs/$runId/report" params={{ runId: run.id }} className={buttonClass('secondary')}>
              Regression report
            </Link>
            <Link
              to="/compare"
              search={{ base: 'baseline', head: run.id, project: run.project_id }}
              className={buttonClass('primary')}
            >
              Compare with baseline
            </Link>
          </>
        )
      }
    >
      <Answer query={query} skeleton={<RunSkeleton />}>
        {(answer) => <RunDetails answer={answer} />}
      </Answer>
    </ProjectPage>
  )
}

function RunDetails({ answer }: { answer: RunAnswer }) {
  const { run } = answer
  return (
    <div className="flex flex-col gap-8">
      <Facts
        entries={{
          Status: <RunStatus status={run.status} />,
          Branch: run.branch,
          Commit: <code className="break-all">{run.commit_hash.slice(0, 12)}</code>,
          Event: run.pull_request === null ? run.event : `${run.event} #${run.pull_request}`,
          'Read as': run.adapter,
          Recorded: <When at={run.created_at} />,
          Committed: run.committed_at === null ? null : <When at={run.committed_at} />,
          Tags: run.tags.join(', '),
        }}
      />
      <Warnings warnings={run.warnings} />
      <RunAlerts projectId={run.project_id} runId={run.id} />
      <Results answer={answer} />
      <RunProfiles projectId={run.project_id} runId={run.id} />
      <EnvironmentFacts environment={run.environment} />
    </div>
  )
}

function Results({ answer: { run, results, omitted_result_count } }: { answer: RunAnswer }) {
  const { search, instrument, sort } = route.useSearch()
  const navigate = route.useNavigate()
  const narrow = (change: { search?: string; instrument?: string; sort?: string }, replace: boolean) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace, resetScroll: false })
  const { words, setWords, filter } = useFilterWords(search, (kept) => narrow({ search: kept }, true))
  const instruments = [...new Set(results.map((result) => result.instrument))]
  const shown = useMemo(() => {
    const part = filter.toLowerCase()
    return results.filter(
      (result) =>
        result.uri.toLowerCase().includes(part) &&
        (instrument === undefined || result.instrument === instrument),
    )
  }, [results, filter, instrument])
  return (
    <Section
      title="Results"
      aside={
        <span className="flex flex-wrap items-center gap-2">
          {shown.length === results.length ? null : (
            <output className="px-2 text-muted tabular-nums">
              {shown.length.toLocaleString()} of {results.length.toLocaleString()}
            </output>
          )}
          {instruments.length > 1 ? (
            <Select
              label="Instrument"
              hideLabel
              className="w-44"
              value={instrument ?? allInstruments}
              onChange={(id) => narrow({ instrument: id === allInstruments ? '' : id }, false)}
              choices={[
                { id: allInstruments, label: 'All instruments' },
                ...instruments.map((id) => ({ id, label: id })),
              ]}
            />
          ) : null}
          {results.length > 5 || filter !== '' ? (
            <SearchField label="Find a benchmark" value={words} onChange={setWords} className="w-64" />
          ) : null}
        </span>
      }
    >
      <DataTable
        label="Results"
        rows={shown}
        rowKey={(row) => row.benchmark_id}
        sort={sort}
        onSort={(next) => narrow({ sort: next }, true)}
        whenEmpty={whenNoResults(run.status, filter)}
        columns={[
          {
            key: 'benchmark',
            title: 'Benchmark',
            grow: true,
            sortBy: (row) => row.uri.toLowerCase(),
            render: (row) => (
              <Link
                to="/benchmarks/$benchmarkId"
                params={{ benchmarkId: row.benchmark_id }}
                search={{ run: run.id }}
                className="row-link block"
              >
                <BenchmarkName name={row.name} uri={row.uri} />
              </Link>
            ),
          },
          {
            key: 'instrument',
            title: 'Instrument',
            hideBelow: 'lg',
            sortBy: (row) => row.instrument,
            render: (row) => row.instrument,
          },
          {
            key: 'metric',
            title: 'Metric',
            hideBelow: 'lg',
            render: (row) => row.metric.replaceAll('_', ' '),
          },
          {
            key: 'profile',
            title: 'Flame graph',
            hideBelow: 'sm',
            sortBy: (row) => Number(row.has_profile),
            render: (row) =>
              row.has_profile ? (
                <FlameLink label="open" runId={run.id} benchmark={row.uri} name={row.name} />
              ) : null,
          },
          {
            key: 'issues',
            title: 'Known issues',
            hideBelow: 'lg',
            sortBy: (row) => -(row.known_issues?.length ?? 0),
            render: (row) => row.known_issues?.map((code) => code.replaceAll('_', ' ')).join(', '),
          },
          {
            key: 'value',
            title: 'Value',
            align: 'right',
            sortBy: (row) => row.value,
            render: (row) => formatQuantity(row.value, row.unit),
          },
        ]}
      />
      {omitted_result_count > 0 ? (
        <p className="text-muted">{omitted_result_count.toLocaleString()} more results are not shown here.</p>
      ) : null}
    </Section>
  )
}

function whenNoResults(status: RunAnswer['run']['status'], filter: string): string {
  if (filter !== '') return `No benchmark fits “${filter}”.`
  if (status === 'PENDING')
    return 'The results are being read. This page shows them as soon as they are there.'
  return status === 'FAILURE'
    ? 'The results could not be read; the warnings say why.'
    : 'This run has no results.'
}

function RunProfiles({ projectId, runId }: { projectId: string; runId: string }) {
  const query = useAnswer(operations.listProfiles, { project_id: projectId, run_id: runId, limit: 100 })
  return (
    <Section title="Profiles">
      <Answer query={query} skeleton={<SkeletonTable rows={2} />}>
        {({ profiles }) => (
          <ProfileTable profiles={profiles} whenEmpty="No profile was uploaded for this run." />
        )}
      </Answer>
    </Section>
  )
}

function RunSkeleton() {
  return (
    <div className="flex flex-col gap-8">
      <SkeletonBlock height="6.5rem" />
      <SkeletonTable rows={6} />
    </div>
  )
}
