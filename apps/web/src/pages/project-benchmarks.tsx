import { formatQuantity, operations } from '@flamegate/contract'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useDeferredValue, useEffect, useState } from 'react'
import { Answer } from '../components/answer.tsx'
import { DataTable } from '../components/data-table.tsx'
import { LoadMore } from '../components/load-more.tsx'
import { SearchField } from '../components/search-field.tsx'
import { SkeletonTable } from '../components/skeleton.tsx'
import { When } from '../components/when.tsx'
import { BenchmarkName } from '../components/benchmark-name.tsx'
import { usePages } from '../paged.ts'
import { ProjectPage } from '../shell/page.tsx'

const route = getRouteApi('/app/projects/$projectId/benchmarks')

/** The benchmarks of a project with their last values. */
export function ProjectBenchmarksPage() {
  const { projectId } = route.useParams()
  const { search: searched = '' } = route.useSearch()
  const navigate = route.useNavigate()
  const [words, setWords] = useState(searched)
  const search = useDeferredValue(words.trim())
  useEffect(() => {
    if (search !== searched) void navigate({ search: { search }, replace: true })
  }, [search, searched, navigate])
  const { query, more } = usePages(
    operations.listBenchmarks,
    { repository: projectId, limit: 50, ...(search === '' ? {} : { search }) },
    ({ benchmarks, next_cursor }) => ({ rows: benchmarks, nextCursor: next_cursor }),
  )
  return (
    <ProjectPage projectId={projectId} section="benchmarks" title="Benchmarks">
      <SearchField label="Find a benchmark" value={words} onChange={setWords} className="max-w-sm" />
      <Answer query={query} skeleton={<SkeletonTable rows={10} />}>
        {(benchmarks) => (
          <>
            <DataTable
              label="Benchmarks"
              rows={benchmarks}
              rowKey={({ id }) => id}
              whenEmpty={
                search === ''
                  ? 'No benchmarks yet: they come with the first run.'
                  : `No benchmark fits “${search}”.`
              }
              columns={[
                {
                  key: 'name',
                  title: 'Benchmark',
                  grow: true,
                  sortBy: ({ uri }) => uri.toLowerCase(),
                  render: (row) => (
                    <Link
                      to="/benchmarks/$benchmarkId"
                      params={{ benchmarkId: row.id }}
                      className="row-link block"
                    >
                      <BenchmarkName name={row.name} uri={row.uri} />
                    </Link>
                  ),
                },
                { key: 'instrument', title: 'Instrument', hideBelow: 'lg', render: (row) => row.instrument },
                {
                  key: 'value',
                  title: 'Last value',
                  align: 'right',
                  render: (row) => formatQuantity(row.last_value, row.unit),
                },
                {
                  key: 'runs',
                  title: 'Runs',
                  align: 'right',
                  hideBelow: 'sm',
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
            <LoadMore {...more} />
          </>
        )}
      </Answer>
    </ProjectPage>
  )
}
