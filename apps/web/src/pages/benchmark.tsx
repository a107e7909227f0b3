import { type AnswerOf, formatQuantity, operations } from '@flamegate/contract'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useAnswer } from '../api.ts'
import { HistoryChart } from '../charts/history-chart.tsx'
import { historyColumns } from '../charts/history-columns.ts'
import { Answer } from '../components/answer.tsx'
import { Commit } from '../components/commit.tsx'
import { DataTable } from '../components/data-table.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { ResultDetail } from '../components/result-detail.tsx'
import { Section } from '../components/section.tsx'
import { Select } from '../components/select.tsx'
import { SkeletonBlock, SkeletonLine } from '../components/skeleton.tsx'
import { When } from '../components/when.tsx'
import { ProjectPage } from '../shell/page.tsx'

const route = getRouteApi('/app/benchmarks/$benchmarkId')

type History = AnswerOf<typeof operations.getBenchmarkHistory>
type Point = History['points'][number]

/** How a benchmark developed over its runs. */
export function BenchmarkPage() {
  const { benchmarkId } = route.useParams()
  const query = useAnswer(operations.getBenchmarkHistory, { benchmark_id: benchmarkId, limit: 2000 })
  const benchmark = query.data?.benchmark
  const projectId = benchmark?.project_id
  return (
    <ProjectPage
      projectId={projectId ?? (query.error === null ? undefined : null)}
      section="benchmarks"
      title={benchmark?.name ?? 'Benchmark'}
      heading={benchmark?.name ?? (query.error === null ? <SkeletonLine width="16rem" /> : 'Benchmark')}
      lead={
        benchmark === undefined ? undefined : (
          <span className="break-all">
            {benchmark.uri} · {benchmark.instrument}
          </span>
        )
      }
      crumbs={
        projectId === undefined ? [] : [{ label: 'Benchmarks', href: `/projects/${projectId}/benchmarks` }]
      }
    >
      <Answer query={query} skeleton={<SkeletonBlock height="24rem" />}>
        {(history) =>
          history.points.length === 0 ? (
            <EmptyState title="No run has a value of this benchmark" />
          ) : (
            <HistoryView history={history} />
          )
        }
      </Answer>
    </ProjectPage>
  )
}

const allBranches = '*'

function HistoryView({ history }: { history: History }) {
  const { benchmark, unit, points } = history
  const { run, branch } = route.useSearch()
  const navigate = route.useNavigate()
  const all = useMemo(() => historyColumns(points), [points])
  const columns = useMemo(
    () => (branch === undefined ? all : historyColumns(points.filter((point) => point.branch === branch))),
    [all, points, branch],
  )
  const chosen = all.points.find(({ run_id }) => run_id === run) ?? columns.points.at(-1)
  const marked = columns.points.findIndex(({ run_id }) => run_id === chosen?.run_id)
  const choose = (point: Point) =>
    void navigate({ search: { run: point.run_id, branch }, resetScroll: false })
  return (
    <div className="flex flex-col gap-8">
      <Section
        title="History"
        aside={
          all.branches.length > 1 ? (
            <Select
              label="Branch"
              hideLabel
              className="w-56"
              value={branch ?? allBranches}
              onChange={(id) =>
                void navigate({
                  search: { run, branch: id === allBranches ? undefined : id },
                  resetScroll: false,
                })
              }
              choices={[
                { id: allBranches, label: 'All branches' },
                ...all.branches.map(({ name }) => ({ id: name, label: name })),
              ]}
            />
          ) : undefined
        }
      >
        <HistoryChart
          columns={columns}
          unit={unit}
          label={`${benchmark.name} over ${columns.points.length} runs; the table below says the same`}
          marked={marked < 0 ? undefined : marked}
          onChoose={choose}
          renderTooltip={(point) => <PointWords point={point} unit={unit} />}
        />
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
      <Section title="Runs">
        <HistoryTable points={columns.points.toReversed()} unit={unit} branch={branch} />
      </Section>
    </div>
  )
}

function PointWords({ point, unit }: { point: Point; unit: string }) {
  return (
    <>
      <p className="font-medium tabular-nums">{formatQuantity(point.value, unit)}</p>
      <p className="truncate">
        {point.branch} <code className="text-muted">{point.commit_hash.slice(0, 9)}</code>
      </p>
      <p className="line-clamp-2">{point.commit_message.split('\n')[0]}</p>
      <p className="text-muted">
        {new Date(point.at).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })}
      </p>
    </>
  )
}

interface TableProps {
  points: readonly Point[]
  unit: string
  branch: string | undefined
}

function HistoryTable({ points, unit, branch }: TableProps) {
  return (
    <DataTable
      label="Values by run"
      rows={points}
      rowKey={(point) => point.run_id}
      whenEmpty="No runs of this branch."
      columns={[
        {
          key: 'commit',
          title: 'Commit',
          grow: true,
          render: (point) => (
            <Link
              to="."
              search={{ run: point.run_id, ...(branch === undefined ? {} : { branch }) }}
              resetScroll={false}
              className="row-link block"
            >
              <Commit hash={point.commit_hash} message={point.commit_message} />
            </Link>
          ),
        },
        {
          key: 'branch',
          title: 'Branch',
          hideBelow: 'sm',
          render: (point) => <span className="block max-w-48 truncate">{point.branch}</span>,
        },
        {
          key: 'when',
          title: 'When',
          align: 'right',
          sortBy: (point) => Date.parse(point.at),
          render: (point) => <When at={point.at} />,
        },
        {
          key: 'value',
          title: 'Value',
          align: 'right',
          sortBy: (point) => point.value,
          render: (point) => formatQuantity(point.value, unit),
        },
      ]}
    />
  )
}
