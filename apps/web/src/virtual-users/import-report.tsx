import { type AnswerOf, operations } from '@flamegate/contract'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { client } from '../api.ts'
import { Answer } from '../components/answer.tsx'
import { Badge, type Tone } from '../components/badge.tsx'
import { buttonClass } from '../components/button.tsx'
import { DataTable } from '../components/data-table.tsx'
import { LoadMore } from '../components/load-more.tsx'
import { SearchField } from '../components/search-field.tsx'
import { SkeletonTable } from '../components/skeleton.tsx'
import { ToggleButton } from '../components/toggle-button.tsx'
import { UnsetSecrets } from '../design/unset-secrets.tsx'
import { moreOf } from '../paged.ts'
import { useTypedWords } from '../profile-views/use-typed-words.ts'

type Report = AnswerOf<typeof operations.getImportReport>
type Outcome = Report['elements'][number]['outcome']

const looks: Record<Outcome, { words: string; tone: Tone }> = {
  mapped: { words: 'Mapped', tone: 'better' },
  approximated: { words: 'Approximated', tone: 'caution' },
  dropped: { words: 'Dropped', tone: 'worse' },
}
const outcomes: readonly Outcome[] = ['mapped', 'approximated', 'dropped']

const perPage = 500

interface Props {
  taskId: string
  /** What the address says: only these. */
  outcome: string | undefined
  search: string | undefined
  onChange: (part: { outcome?: string; search?: string }) => void
}

/** What became of every element of a source, and why. */
export function ImportReport({ taskId, outcome, search, onChange }: Props) {
  const [typed, setTyped] = useTypedWords(search, (words) => onChange({ search: words }))
  const only = outcomes.find((each) => each === outcome)
  const query = useReport(taskId, only, search)
  return (
    <Answer query={query} skeleton={<SkeletonTable rows={8} />}>
      {({ head, elements }) => (
        <div className="flex flex-col gap-6">
          <div className="flex flex-wrap gap-2">
            {head.virtual_users.map(({ id, name }) => (
              <Link
                key={id}
                to="/virtual-users/$virtualUserId"
                params={{ virtualUserId: id }}
                className={buttonClass('primary', 'max-w-full')}
              >
                <span className="truncate">Open {name}</span>
              </Link>
            ))}
          </div>
          <UnsetSecrets projectId={head.project_id} />
          {head.notes.length === 0 ? null : (
            <ul className="flex list-disc flex-col gap-1 rounded-lg border border-line bg-surface py-3 pr-4 pl-8">
              {head.notes.map((note) => (
                <li key={note} className="break-words">
                  {note}
                </li>
              ))}
            </ul>
          )}
          <div className="flex flex-wrap items-center gap-2">
            <span className="mr-2">
              <span className="font-semibold">{head.read.toLocaleString('en')}</span> elements read:
            </span>
            {outcomes.map((each) => (
              <ToggleButton
                key={each}
                isSelected={only === each}
                onChange={(isSelected) => onChange({ outcome: isSelected ? each : '' })}
              >
                {head[each].toLocaleString('en')} {each}
              </ToggleButton>
            ))}
            <SearchField
              label="Find an element"
              value={typed}
              onChange={setTyped}
              className="w-64 max-sm:grow"
            />
          </div>
          <ElementTable elements={elements} />
          <LoadMore {...moreOf(query)} />
        </div>
      )}
    </Answer>
  )
}

function useReport(taskId: string, outcome: Outcome | undefined, search: string | undefined) {
  const input = {
    task_id: taskId,
    limit: perPage,
    ...(outcome === undefined ? {} : { outcome }),
    ...(search === undefined ? {} : { search }),
  }
  return useInfiniteQuery({
    queryKey: [operations.getImportReport.id, 'pages', input],
    queryFn: ({ pageParam, signal }) =>
      client.call(operations.getImportReport, { ...input, offset: pageParam }, { signal }),
    initialPageParam: 0,
    getNextPageParam: ({ next_offset }) => next_offset ?? undefined,
    placeholderData: keepPreviousData,
    select: ({ pages: [first, ...others] }) => {
      if (first === undefined) throw new TypeError('A query has a first page')
      return { head: first, elements: [first, ...others].flatMap(({ elements }) => elements) }
    },
  })
}

function ElementTable({ elements }: { elements: Report['elements'] }) {
  return (
    <DataTable
      label="Elements"
      rows={elements}
      rowKey={({ place, kind, name }) => `${place} ${kind} ${name}`}
      stacks
      whenEmpty="No elements that fit."
      columns={[
        {
          key: 'element',
          title: 'Element',
          grow: true,
          render: ({ name, kind, place, note }) => (
            <span className="flex min-w-0 flex-col">
              <span className="truncate" title={name}>
                <span className="font-medium">{name || kind}</span> <span className="text-muted">{kind}</span>
              </span>
              <code className="truncate text-sm text-muted" title={place}>
                {place}
              </code>
              {note === null ? null : <span className="text-sm break-words">{note}</span>}
            </span>
          ),
        },
        {
          key: 'outcome',
          title: 'Outcome',
          sortBy: ({ outcome }) => outcome,
          render: ({ outcome }) => <Badge tone={looks[outcome].tone}>{looks[outcome].words}</Badge>,
        },
        {
          key: 'action',
          title: 'Action',
          align: 'right',
          render: ({ action_id: actionId, virtual_user_id: virtualUserId, name }) =>
            actionId === null || virtualUserId === null ? null : (
              <Link
                to="/virtual-users/$virtualUserId"
                params={{ virtualUserId }}
                search={{ action: actionId }}
                aria-label={`Show the action of ${name}`}
                className="text-link"
              >
                Show
              </Link>
            ),
        },
      ]}
    />
  )
}
