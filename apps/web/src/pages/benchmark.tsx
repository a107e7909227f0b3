import { operations } from '@flamegate/contract'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { AlertTable } from '../alerts/alert-table.tsx'
import { useAnswer } from '../api.ts'
import { BenchmarkSettings } from '../benchmark/benchmark-settings.tsx'
import { ChangeTable } from '../benchmark/change-table.tsx'
import { parseBranches, stringifyBranches } from '../benchmark/hidden-branches.ts'
import type { History } from '../benchmark/history.ts'
import { HistoryTable } from '../benchmark/history-table.tsx'
import { PairChoice } from '../benchmark/pair-choice.tsx'
import { pointSentence, PointWords } from '../benchmark/point-words.tsx'
import { HistoryChart } from '../charts/history-chart.tsx'
import { historyColumns } from '../charts/history-columns.ts'
import { alertMarks, levelLines } from '../charts/history-marks.ts'
import { parseTimeRange, stringifyTimeRange } from '../charts/time-range.ts'
import { Answer } from '../components/answer.tsx'
import { Badge } from '../components/badge.tsx'
import { buttonClass } from '../components/button.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { ResultDetail } from '../components/result-detail.tsx'
import { Section } from '../components/section.tsx'
import { Select } from '../components/select.tsx'
import { SkeletonBlock, SkeletonLine } from '../components/skeleton.tsx'
import { ToggleButton } from '../components/toggle-button.tsx'
import { When } from '../components/when.tsx'
import { ProjectPage } from '../shell/page.tsx'
import { useMayInProject } from '../shell/project-role.ts'

const route = getRouteApi('/app/benchmarks/$benchmarkId')

/** Of a longer history only these are shown. */
const newestRuns = 2000

/** How a benchmark developed over its runs. */
export function BenchmarkPage() {
  const { benchmarkId } = route.useParams()
  const { metric } = route.useSearch()
  const query = useAnswer(
    operations.getBenchmarkHistory,
    { benchmark_id: benchmarkId, limit: newestRuns, ...(metric === undefined ? {} : { metric }) },
    { keepPrevious: true },
  )
  const benchmark = query.data?.benchmark
  const projectId = benchmark?.project_id
  const mayChange = useMayInProject(projectId, 'member')
  return (
    <ProjectPage
      projectId={projectId ?? (query.error === null ? undefined : null)}
      section="benchmarks"
      title={benchmark?.name ?? 'Benchmark'}
      heading={benchmark?.name ?? (query.error === null ? <SkeletonLine width="16rem" /> : 'Benchmark')}
      lead={query.data === undefined ? undefined : <Lead history={query.data} />}
      crumbs={
        projectId === undefined ? [] : [{ label: 'Benchmarks', href: `/projects/${projectId}/benchmarks` }]
      }
      actions={
        benchmark !== undefined && mayChange ? (
          <>
            <Link
              to="/projects/$projectId/thresholds"
              params={{ projectId: benchmark.project_id }}
              search={{ benchmark: benchmark.id }}
              className={buttonClass('secondary')}
            >
              Set a threshold
            </Link>
            <BenchmarkSettings benchmark={benchmark} />
          </>
        ) : undefined
      }
    >
      <Answer query={query} skeleton={<SkeletonBlock height="24rem" />}>
        {(history) =>
          history.points.length === 0 ? (
            <EmptyState title="No run has a value of this benchmark" />
          ) : (
            <HistoryView history={history} mayChange={mayChange} />
          )
        }
      </Answer>
    </ProjectPage>
  )
}

function Lead({ history: { benchmark, same_uri } }: { history: History }) {
  const { uri, instrument, state, is_critical, threshold_percent, noise_percent, former_uris } = benchmark
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <span
        className="break-all"
        title={former_uris.length === 0 ? undefined : `Was ${former_uris.join(', ')}`}
      >
        {uri} · {instrument}
      </span>
      {noise_percent === null ? null : <span>noise ±{noise_percent.toFixed(1)} % between runs</span>}
      {same_uri.map(({ benchmark_id, instrument: other, metric }) => (
        <Link
          key={benchmark_id}
          to="/benchmarks/$benchmarkId"
          params={{ benchmarkId: benchmark_id }}
          className="text-link"
        >
          also by {other}, {metric.replaceAll('_', ' ')}
        </Link>
      ))}
      {state === 'active' ? null : <Badge tone="caution">{state}</Badge>}
      {is_critical ? <Badge tone="accent">critical</Badge> : null}
      {threshold_percent === null ? null : <Badge>threshold {threshold_percent} %</Badge>}
    </span>
  )
}

/** Which runs the history does not show, and why; nothing where it shows all. */
function LeftOut({ history: { points, other_unit_count } }: { history: History }) {
  const parts = [
    ...(points.length < newestRuns ? [] : [`only the newest ${newestRuns.toLocaleString()} runs are shown`]),
    ...(other_unit_count === 0
      ? []
      : [`runs that tell it in another unit are left out: ${other_unit_count.toLocaleString()}`]),
  ].join('; ')
  return parts === '' ? null : <p className="text-muted">{`${parts[0]?.toUpperCase()}${parts.slice(1)}.`}</p>
}

const allBranches = '*'

function HistoryView({ history, mayChange }: { history: History; mayChange: boolean }) {
  const { benchmark, unit, points, change_points, alerts, metric, metrics } = history
  const { run, branch, hidden: hiddenWords, from, scale, since, until, sort } = route.useSearch()
  const navigate = route.useNavigate()
  const change = (part: Partial<ReturnType<typeof route.useSearch>>, replace = false) =>
    void navigate({ search: (before) => ({ ...before, ...part }), resetScroll: false, replace })
  const hidden = useMemo(() => parseBranches(hiddenWords), [hiddenWords])
  const zoom = useMemo(() => parseTimeRange(since, until), [since, until])
  const all = useMemo(() => historyColumns(points), [points])
  const columns = useMemo(
    () =>
      branch === undefined
        ? historyColumns(points, hidden)
        : historyColumns(points.filter((point) => point.branch === branch)),
    [points, branch, hidden],
  )
  const levels = useMemo(() => levelLines(columns, change_points), [columns, change_points])
  const marks = useMemo(() => alertMarks(columns, alerts), [columns, alerts])
  const newestFirst = useMemo(() => columns.points.toReversed(), [columns])
  const chosen = all.points.find(({ run_id }) => run_id === run) ?? columns.points.at(-1)
  const kept = all.points.find(({ run_id }) => run_id === from)
  const marked = useMemo(
    () =>
      [chosen, kept]
        .map((point) => columns.points.findIndex(({ run_id }) => run_id === point?.run_id))
        .filter((column) => column >= 0),
    [columns, chosen, kept],
  )
  const mayBeLogarithmic = columns.points.every(({ value }) => value > 0)
  return (
    <div className="flex flex-col gap-8">
      <Section
        title="History"
        aside={
          <span className="flex min-w-0 flex-wrap gap-2">
            {mayBeLogarithmic ? (
              <ToggleButton
                isSelected={scale === 'log'}
                onChange={(isLog) => change({ scale: isLog ? 'log' : '' })}
              >
                Logarithmic
              </ToggleButton>
            ) : null}
            {metrics.length > 1 ? (
              <Select
                label="Metric"
                hideLabel
                className="w-44"
                value={metric}
                onChange={(id) => change({ metric: id === metrics[0] ? '' : id })}
                choices={metrics.map((id) => ({ id, label: id.replaceAll('_', ' ') }))}
              />
            ) : null}
            {all.branches.length > 1 ? (
              <Select
                label="Branch"
                hideLabel
                className="w-56"
                value={branch ?? allBranches}
                onChange={(id) => change({ branch: id === allBranches ? '' : id })}
                choices={[
                  { id: allBranches, label: 'All branches' },
                  ...all.branches.map(({ name }) => ({ id: name, label: name })),
                ]}
              />
            ) : null}
          </span>
        }
      >
        {columns.branches.length === 0 ? (
          <EmptyState title={`No runs of the branch “${branch}”`} />
        ) : (
          <HistoryChart
            columns={columns}
            unit={unit}
            isLogarithmic={scale === 'log' && mayBeLogarithmic}
            levels={levels}
            alerts={marks}
            marked={marked}
            label={`${benchmark.name}, ${metric}, over ${columns.points.length} runs; the tables below say the same`}
            zoom={zoom}
            onZoom={(next) => change(stringifyTimeRange(next), true)}
            branches={{ hidden, onChange: (names) => change({ hidden: stringifyBranches(names) }, true) }}
            onChoose={(point) => change({ run: point.run_id })}
            renderTooltip={(point) => <PointWords point={point} history={history} />}
            describe={(point) => pointSentence(point, history)}
          />
        )}
        <LeftOut history={history} />
        {chosen === undefined || all.points.length < 2 ? null : (
          <div>
            <PairChoice
              projectId={benchmark.project_id}
              from={kept}
              chosen={chosen}
              onFrom={(runId) => change({ from: runId })}
            />
          </div>
        )}
      </Section>
      {chosen === undefined ? null : (
        <ResultDetail
          runId={chosen.run_id}
          benchmarkId={benchmark.id}
          caption={
            <>
              <span className="font-medium text-text">{chosen.branch}</span>{' '}
              <code>{chosen.commit_hash.slice(0, 9)}</code> {chosen.commit_message.split('\n')[0]},{' '}
              <When at={chosen.at} />
            </>
          }
        />
      )}
      {alerts.length === 0 ? null : (
        <Section title="Alerts">
          <AlertTable alerts={alerts} mayChange={mayChange} whenEmpty="" />
        </Section>
      )}
      {change_points.length === 0 ? null : (
        <Section title="Changes of level">
          <ChangeTable history={history} />
        </Section>
      )}
      <Section title="Runs">
        <HistoryTable
          benchmarkId={benchmark.id}
          points={newestFirst}
          unit={unit}
          sort={sort}
          onSort={(next) => change({ sort: next })}
        />
      </Section>
    </div>
  )
}
