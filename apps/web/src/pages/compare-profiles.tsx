import { type AnswerOf, formatChangePercent, formatQuantity, operations } from '@flamegate/contract'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useCallback, useDeferredValue, useMemo } from 'react'
import { useAnswer } from '../api.ts'
import { Answer } from '../components/answer.tsx'
import { Button, buttonClass } from '../components/button.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { Section } from '../components/section.tsx'
import { Select } from '../components/select.tsx'
import { SkeletonBlock, SkeletonTable } from '../components/skeleton.tsx'
import { columnsOfBoth } from '../flame-graph/columns-of-both.ts'
import { FlameGraph } from '../flame-graph/flame-graph.tsx'
import { layOutTree } from '../flame-graph/flame-tree.ts'
import { ChangeTiles } from '../profiles/change-tiles.tsx'
import { type ChangeState, changeStates } from '../profiles/change-states.ts'
import { FunctionDifferenceTable } from '../profiles/function-difference-table.tsx'
import { idsIn } from '../profiles/ids-in-address.ts'
import { PictureMenu } from '../profiles/picture-menu.tsx'
import { ProfileLinks } from '../profiles/profile-links.tsx'
import { useTypedWords } from '../profile-views/use-typed-words.ts'
import { isHeapSnapshot } from '../profile-views/view-search.ts'
import { readZoom, type ZoomWords, zoomWords } from '../profile-views/zoom-words.ts'
import { ProjectPage } from '../shell/page.tsx'

const route = getRouteApi('/app/profiles/compare')

type Comparison = AnswerOf<typeof operations.compareProfiles>

/** Functions that the table is made from; the differential flame graph shows the rest. */
const functionsMax = 500
const frames = 20_000
/** Another tree has other nodes. */
const wholeGraph = { zoom: '', part: '' }

/** What changed between two profiles, two sets of them, or what two runs have of a benchmark. */
export function CompareProfilesPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const [base, head] = [idsIn(search.base), idsIn(search.head)]
  const isChosen = base.length > 0 && head.length > 0
  const input = {
    base,
    head,
    ...(search.benchmark === undefined ? {} : { benchmark: search.benchmark }),
    ...(search.type === undefined ? {} : { sample_type: search.type }),
    ...(search.normalize === undefined ? {} : { normalize: search.normalize }),
  }
  const query = useAnswer(
    operations.compareProfiles,
    { ...input, sort_by: search.by === 'total' ? 'total' : 'self', top_n: functionsMax },
    { enabled: isChosen, keepPrevious: true },
  )
  // Runs are told by the profiles that they have.
  const [baseId, headId] = [query.data?.base.profile_ids[0] ?? '', query.data?.head.profile_ids[0] ?? '']
  const headProfile = useAnswer(
    operations.getProfile,
    { profile_id: headId },
    { enabled: query.data !== undefined },
  ).data?.profile
  return (
    <ProjectPage
      wide
      projectId={headProfile?.project_id ?? (isChosen && query.error === null ? undefined : null)}
      section="profiles"
      title="Compare profiles"
      actions={
        isChosen ? (
          <>
            {headProfile !== undefined && isHeapSnapshot(headProfile) ? (
              <Link
                to="/profiles/$profileId"
                params={{ profileId: headProfile.id }}
                search={{ view: 'classes', baseline: baseId }}
                className={buttonClass()}
              >
                Compare classes
              </Link>
            ) : null}
            <Button
              onPress={() =>
                void navigate({
                  search: { ...search, base: search.head, head: search.base, ...wholeGraph },
                })
              }
            >
              Swap base and head
            </Button>
          </>
        ) : undefined
      }
    >
      {isChosen ? (
        <>
          <Answer query={query} skeleton={<CompareSkeleton />}>
            {(comparison) => (
              <ComparisonView
                comparison={comparison}
                input={input}
                sampleTypes={headProfile?.sample_types ?? []}
              />
            )}
          </Answer>
          {query.error === null || search.normalize === undefined ? null : (
            <Button
              className="self-start"
              onPress={() => void navigate({ search: { ...search, normalize: '', ...wholeGraph } })}
            >
              Compare without scaling
            </Button>
          )}
        </>
      ) : (
        <EmptyState title="Choose what to compare">
          <p>Tick two profiles in a project’s list of profiles, the earlier one is the base.</p>
        </EmptyState>
      )}
    </ProjectPage>
  )
}

interface ViewProps {
  comparison: Comparison
  input: { base: string[]; head: string[] }
  sampleTypes: AnswerOf<typeof operations.getProfile>['profile']['sample_types']
}

function ComparisonView({ comparison, input, sampleTypes }: ViewProps) {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const change = (part: Partial<typeof search>) =>
    void navigate({ search: (before) => ({ ...before, ...part }), resetScroll: false })
  const keepWords = useCallback(
    (kept: string) =>
      void navigate({ search: (before) => ({ ...before, search: kept }), resetScroll: false, replace: true }),
    [navigate],
  )
  const [words, setWords] = useTypedWords(search.search, keepWords)
  const filter = useDeferredValue(words.trim())
  const { unit, base_value: before, head_value: after } = comparison
  return (
    <div className="flex flex-col gap-8">
      <div className="flex flex-col gap-4">
        <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1 text-lg">
          <span className="font-medium tabular-nums">
            {formatQuantity(before, unit)} → {formatQuantity(after, unit)}
          </span>
          {comparison.difference_percent === null ? null : (
            <span className="tabular-nums">{formatChangePercent(comparison.difference_percent)}</span>
          )}
          <span className="min-w-0 text-base text-muted">
            <ProfileLinks side={comparison.head} /> against <ProfileLinks side={comparison.base} />
            {comparison.benchmark === null ? '' : `, ${comparison.benchmark}`}
          </span>
        </p>
        <div className="grid grid-cols-2 items-end gap-3 sm:flex sm:flex-wrap">
          {sampleTypes.length > 1 ? (
            <Select
              label="Sample type"
              className="sm:w-44"
              value={comparison.sample_type}
              onChange={(type) => change({ type, ...wholeGraph })}
              choices={sampleTypes.map(({ type }) => ({ id: type, label: type }))}
            />
          ) : null}
          <NormalizeSelect
            comparison={comparison}
            onChange={(normalize) => change({ normalize, ...wholeGraph })}
          />
          <Select
            label="Functions by"
            className="sm:w-40"
            value={search.by === 'total' ? 'total' : 'self'}
            onChange={(by) => change({ by: by === 'self' ? '' : by })}
            choices={[
              { id: 'self', label: 'Self', note: 'What they do themselves' },
              { id: 'total', label: 'Total', note: 'With all they call' },
            ]}
          />
        </div>
        <ul className="flex max-w-prose list-disc flex-col gap-1 pl-5 text-muted">
          {comparison.notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      </div>
      <Section title="Both flame graphs as one" aside={<PictureMenu comparison={input} />}>
        <DifferentialGraph
          input={input}
          unit={unit}
          words={words}
          onWords={setWords}
          place={search}
          onPlace={change}
        />
      </Section>
      <Functions comparison={comparison} filter={filter} onSearch={setWords} />
    </div>
  )
}

function NormalizeSelect({
  comparison,
  onChange,
}: {
  comparison: Comparison
  onChange: (normalize: string) => void
}) {
  const areRuns = comparison.base.run_id !== null && comparison.head.run_id !== null
  const hasDurations = comparison.base.duration_ms !== null && comparison.head.duration_ms !== null
  return (
    <Select
      label="Scaled by"
      className="sm:w-48"
      value={comparison.normalize}
      onChange={(normalize) => onChange(normalize === 'factor' ? String(comparison.head_factor) : normalize)}
      choices={[
        ...(areRuns ? [{ id: 'measured', label: 'What was measured', note: 'Per iteration' }] : []),
        { id: 'none', label: 'Nothing', note: 'Values as they are' },
        { id: 'total', label: 'The total', note: 'Shares are compared' },
        ...(hasDurations ? [{ id: 'duration', label: 'The duration', note: 'Values per second' }] : []),
        ...(comparison.normalize === 'factor'
          ? [{ id: 'factor', label: `Head × ${comparison.head_factor}` }]
          : []),
      ]}
    />
  )
}

type Place = Partial<ZoomWords> & { colors?: string }

interface GraphProps {
  input: { base: string[]; head: string[] }
  unit: string
  words: string
  onWords: (words: string) => void
  /** What the address keeps of it. */
  place: Place
  onPlace: (place: Place) => void
}

function DifferentialGraph({ input, unit, words, onWords, place, onPlace }: GraphProps) {
  const query = useAnswer(
    operations.generateDifferentialFlamegraph,
    { ...input, max_nodes: frames },
    { keepPrevious: true },
  )
  const tree = useMemo(() => query.data && layOutTree(columnsOfBoth(query.data)), [query.data])
  return (
    <Answer query={query} skeleton={<SkeletonBlock height="32rem" />}>
      {({ omitted_node_count: omitted }) => (
        <>
          {tree === undefined ? null : (
            <FlameGraph
              tree={tree}
              unit={unit}
              label="Differential flame graph"
              search={words}
              onSearch={onWords}
              zoom={readZoom(tree, place)}
              onZoom={(zoom) => onPlace(zoomWords(tree, zoom))}
              colorsMean={place.colors === 'origin' ? 'origin' : 'change'}
              onColors={(meaning) => onPlace({ colors: meaning === 'change' ? '' : meaning })}
            />
          )}
          {omitted > 0 ? (
            <p className="mt-2 text-sm text-muted">
              {omitted.toLocaleString()} of the smallest frames are left out.
            </p>
          ) : null}
        </>
      )}
    </Answer>
  )
}

interface FunctionsProps {
  comparison: Comparison
  filter: string
  onSearch: (words: string) => void
}

function Functions({ comparison, filter, onSearch }: FunctionsProps) {
  const { state, sort, by } = route.useSearch()
  const navigate = route.useNavigate()
  const change = (part: { state?: string; sort?: string }) =>
    void navigate({ search: (before) => ({ ...before, ...part }), resetScroll: false, replace: true })
  const chosen: ChangeState | undefined = changeStates.find((name) => name === state)
  const rows = useMemo(() => {
    const part = filter.toLowerCase()
    return comparison.functions.filter(
      (row) =>
        (chosen === undefined || row.state === chosen) && row.function_name.toLowerCase().includes(part),
    )
  }, [comparison, chosen, filter])
  const count = Object.values(comparison.counts).reduce((sum, each) => sum + each, 0)
  return (
    <Section
      title="Functions"
      aside={
        count > comparison.functions.length ? (
          <span className="text-muted">
            The {comparison.functions.length.toLocaleString()} largest changes of {count.toLocaleString()}{' '}
            functions
          </span>
        ) : undefined
      }
    >
      <ChangeTiles
        counts={comparison.counts}
        chosen={chosen}
        onChoose={(next) => change({ state: next ?? '' })}
      />
      <FunctionDifferenceTable
        rows={rows}
        unit={comparison.unit}
        by={by === 'total' ? 'total' : 'self'}
        sort={sort}
        onSort={(kept) => change({ sort: kept })}
        onChoose={(name) => {
          onSearch(name)
          window.scrollTo({ top: 0, behavior: 'smooth' })
        }}
      />
    </Section>
  )
}

function CompareSkeleton() {
  return (
    <div className="flex flex-col gap-8">
      <SkeletonBlock height="6rem" />
      <SkeletonBlock height="32rem" />
      <SkeletonTable rows={10} />
    </div>
  )
}
