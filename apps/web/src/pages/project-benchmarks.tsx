import { type AnswerOf, formatQuantity, operations } from '@flamegate/contract'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Sparkline } from '../charts/sparkline.tsx'
import { Answer } from '../components/answer.tsx'
import { Badge } from '../components/badge.tsx'
import { BenchmarkName } from '../components/benchmark-name.tsx'
import { DataTable } from '../components/data-table.tsx'
import { LoadMore } from '../components/load-more.tsx'
import { SearchField } from '../components/search-field.tsx'
import { Select } from '../components/select.tsx'
import { SkeletonTable } from '../components/skeleton.tsx'
import { When } from '../components/when.tsx'
import { useFilterWords } from '../filter-words.ts'
import { usePages } from '../paged.ts'
import { ProjectPage } from '../shell/page.tsx'

const route = getRouteApi('/app/projects/$projectId/benchmarks')

type Benchmark = AnswerOf<typeof operations.listBenchmarks>['benchmarks'][number]

const states = [
  { id: 'active', label: 'Active' },
  { id: 'ignored', label: 'Ignored' },
  { id: 'archived', label: 'Archived' },
  { id: 'all', label: 'All states' },
] as const

/** The benchmarks of a project with their last values and where they are going. */
export function ProjectBenchmarksPage() {
  const { projectId } = route.useParams()
  const { search, state: stateWord, sort } = route.useSearch()
  const state = states.find(({ id }) => id === stateWord)?.id ?? 'active'
  const navigate = route.useNavigate()
  const narrow = (change: { search?: string; state?: string; sort?: string }, replace: boolean) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace, resetScroll: false })
  const { words, setWords, filter } = useFilterWords(search, (kept) => narrow({ search: kept }, true))
  const { query, more } = usePages(
    operations.listBenchmarks,
    { repository: projectId, state, limit: 50, ...(filter === '' ? {} : { search: filter }) },
    ({ benchmarks, next_cursor }) => ({ rows: benchmarks, nextCursor: next_cursor }),
  )
  return (
    <ProjectPage projectId={projectId} section="benchmarks" title="Benchmarks">
      <search aria-label="Filters" className="flex flex-wrap gap-3">
        <SearchField
          label="Find a benchmark"
          value={words}
          onChange={setWords}
          className="max-w-sm grow basis-48"
        />
        <Select
          label="State"
          hideLabel
          className="w-36"
          choices={states}
          value={state}
          onChange={(id) => narrow({ state: id === 'active' ? '' : id }, false)}
        />
      </search>
      <Answer query={query} skeleton={<SkeletonTable rows={10} />}>
        {(benchmarks) => (
          <>
            <BenchmarkTable
              benchmarks={benchmarks}
              sort={sort}
              onSort={(next) => narrow({ sort: next }, true)}
              whenEmpty={whenNone(filter, state)}
            />
            <LoadMore {...more} />
          </>
        )}
      </Answer>
    </ProjectPage>
  )
}

function whenNone(filter: string, state: string): string {
  if (filter !== '') return `No benchmark fits “${filter}”.`
  return state === 'active' ? 'No benchmarks yet: they come with the first run.' : 'None in this state.'
}

interface TableProps {
  benchmarks: readonly Benchmark[]
  sort: string | undefined
  onSort: (sort: string) => void
  whenEmpty: string
}

function BenchmarkTable({ benchmarks, ...table }: TableProps) {
  return (
    <DataTable
      label="Benchmarks"
      rows={benchmarks}
      rowKey={({ id }) => id}
      {...table}
      columns={[
        {
          key: 'name',
          title: 'Benchmark',
          grow: true,
          sortBy: ({ uri }) => uri.toLowerCase(),
          render: (row) => (
            <Link to="/benchmarks/$benchmarkId" params={{ benchmarkId: row.id }} className="row-link block">
              <BenchmarkName name={row.name} uri={row.uri} />
            </Link>
          ),
        },
        {
          key: 'alerts',
          title: 'Alerts',
          hideBelow: 'sm',
          sortBy: ({ open_alert_count }) => open_alert_count,
          render: (row) => (
            <span className="flex flex-wrap gap-1">
              {row.open_alert_count === 0 ? null : <Badge tone="worse">{row.open_alert_count} open</Badge>}
              {row.is_critical ? <Badge tone="accent">critical</Badge> : null}
              {row.state === 'active' ? null : <Badge tone="caution">{row.state}</Badge>}
            </span>
          ),
        },
        { key: 'instrument', title: 'Instrument', hideBelow: 'lg', render: (row) => row.instrument },
        {
          key: 'trend',
          title: 'Trend',
          hideBelow: 'sm',
          render: (row) => <Sparkline values={row.trend} unit={row.unit} />,
        },
        {
          key: 'value',
          title: 'Last value',
          align: 'right',
          render: (row) => formatQuantity(row.last_value, row.unit),
        },
        {
          key: 'noise',
          title: 'Noise',
          align: 'right',
          hideBelow: 'lg',
          sortBy: ({ noise_percent }) => noise_percent,
          render: ({ noise_percent: noise }) => (noise === null ? '–' : `±${noise.toFixed(1)} %`),
        },
        {
          key: 'runs',
          title: 'Runs',
          align: 'right',
          hideBelow: 'lg',
          sortBy: (row) => row.run_count,
          render: (row) => row.run_count.toLocaleString(),
        },
        {
          key: 'when',
          title: 'Last run',
          align: 'right',
          hideBelow: 'sm',
          sortBy: (row) => row.last_run_at,
          render: (row) => <When at={row.last_run_at} />,
        },
      ]}
    />
  )
}
