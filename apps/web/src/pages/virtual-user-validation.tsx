import { formatQuantity, operations, type AnswerOf } from '@flamegate/contract'
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useCallback, useEffect, useMemo, useRef } from 'react'
import { useAnswer, useCall } from '../api.ts'
import { Answer } from '../components/answer.tsx'
import { Badge } from '../components/badge.tsx'
import { Button, buttonClass } from '../components/button.tsx'
import { SearchField } from '../components/search-field.tsx'
import { Section } from '../components/section.tsx'
import { Select } from '../components/select.tsx'
import { SkeletonTable } from '../components/skeleton.tsx'
import { When } from '../components/when.tsx'
import { useTypedWords } from '../profile-views/use-typed-words.ts'
import { useMayInProject } from '../shell/project-role.ts'
import { ActionTable } from '../validation/action-table.tsx'
import type { ChangeExchangeSearch } from '../validation/exchange-search.ts'
import { ExchangeViewer } from '../validation/exchange-viewer.tsx'
import { type ActionRow, rowOf } from '../validation/result-tree.ts'
import { StartValidation } from '../validation/start-validation.tsx'
import { isOver, type Validation, ValidationState } from '../validation/validation-state.tsx'
import { useVirtualUser, VirtualUserFrame } from '../validation/virtual-user-frame.tsx'
import { PhaseLegend } from '../validation/waterfall-bar.tsx'

const route = getRouteApi('/app/virtual-users/$virtualUserId/validations/$validationId')

type Index = AnswerOf<typeof operations.getVirtualUserValidationIndex>

/** What happened when a virtual user was run against its servers: failures first, then everything in order. */
export function VirtualUserValidationPage() {
  const { virtualUserId, validationId } = route.useParams()
  const index = useAnswer(
    operations.getVirtualUserValidationIndex,
    { virtual_user_id: virtualUserId, validation_id: validationId, outcome: 'failed', limit: 1 },
    { pollWhile: ({ next_poll_seconds }) => next_poll_seconds !== null },
  )
  const validation = index.data?.validation
  useOutdatedAtEnd(validation)
  return (
    <VirtualUserFrame
      virtualUserId={virtualUserId}
      current="/validations"
      title="Validation"
      wide
      lead={validation === undefined ? undefined : <Lead validation={validation} />}
      actions={
        validation === undefined ? undefined : isOver(validation) ? (
          <StartValidation virtualUserId={virtualUserId} label="Validate again" />
        ) : (
          <Cancel validation={validation} />
        )
      }
    >
      <Answer query={index} skeleton={<SkeletonTable rows={6} />}>
        {(answer) => (
          <div className="flex flex-col gap-6">
            <Outcome validation={answer.validation} />
            <Failures index={answer} />
          </div>
        )}
      </Answer>
      <Actions />
    </VirtualUserFrame>
  )
}

/** Lists and suggestions know nothing yet of a validation that ended while it was looked at. */
function useOutdatedAtEnd(validation: Validation | undefined): void {
  const queries = useQueryClient()
  const wasSeenRunning = useRef(false)
  const hasEnded = validation === undefined ? undefined : isOver(validation)
  useEffect(() => {
    if (hasEnded === false) wasSeenRunning.current = true
    if (hasEnded !== true || !wasSeenRunning.current) return
    for (const { id } of [
      operations.listValidations,
      operations.listVirtualUsers,
      operations.suggestCorrelations,
    ])
      void queries.invalidateQueries({ queryKey: [id] })
  }, [hasEnded, queries])
}

function Lead({ validation }: { validation: Validation }) {
  const { version, iterations, created_at, expires_at } = validation
  return (
    <>
      Version {version}, {iterations === 1 ? 'one iteration' : `${iterations} iterations`},{' '}
      <When at={created_at} />, kept until{' '}
      {new Date(expires_at).toLocaleDateString(undefined, { dateStyle: 'medium' })}, or as long as it is the
      latest
    </>
  )
}

function Cancel({ validation }: { validation: Validation }) {
  const user = useVirtualUser(validation.virtual_user_id).data?.virtual_user
  const mayCancel = useMayInProject(user?.project_id, 'member')
  const call = useCall(operations.cancelTask, [
    operations.getVirtualUserValidationIndex,
    operations.getValidationWaterfall,
  ])
  if (!mayCancel) return null
  return (
    <Button
      isDisabled={call.isPending || call.isSuccess}
      onPress={() => call.mutate({ task_id: validation.task_id })}
    >
      {call.isSuccess ? 'Cancelling…' : 'Cancel'}
    </Button>
  )
}

function Outcome({ validation }: { validation: Validation }) {
  const { state, message, passed, failed, skipped, started_at, finished_at } = validation
  const tookMs =
    started_at === null || finished_at === null ? null : Date.parse(finished_at) - Date.parse(started_at)
  return (
    <div aria-live="polite" className="flex flex-col gap-2">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-lg">
        <ValidationState state={state} />
        <span className="min-w-0">{message}</span>
      </p>
      <p className="flex flex-wrap gap-x-4 text-muted">
        <span>{passed.toLocaleString()} passed</span>
        <span className={failed > 0 ? 'font-medium text-worse' : ''}>{failed.toLocaleString()} failed</span>
        <span>{skipped.toLocaleString()} skipped</span>
        {tookMs === null ? null : <span>in {formatQuantity(tookMs, 'ms')}</span>}
      </p>
      {isOver(validation) ? null : (
        <div aria-hidden="true" className="h-1.5 overflow-hidden rounded-full bg-hover">
          <div className="h-full w-1/3 animate-pulse rounded-full bg-accent-fill" />
        </div>
      )}
    </div>
  )
}

function Failures({ index }: { index: Index }) {
  const { causes, likely_values: values, validation } = index
  const rows = useAnswer(operations.getValidationWaterfall, { validation_id: validation.id }).data?.actions
  const names = new Map(rows?.map(({ action_id, name }) => [action_id, name]))
  if (causes.length === 0) return null
  return (
    <Section title="Why it failed">
      <ul className="grid gap-3 lg:grid-cols-2">
        {causes.map(({ cause, words, advice, count, action_ids }) => (
          <li
            key={`${cause} ${words}`}
            className="flex min-w-0 flex-col gap-1.5 rounded-lg border border-line bg-surface p-4"
          >
            <p className="flex flex-wrap items-center gap-2">
              <Badge tone="worse">{cause.replaceAll('_', ' ')}</Badge>
              {count > 1 ? <span className="text-muted">{count} times</span> : null}
            </p>
            <p className="font-medium break-words">{words}</p>
            <p className="text-muted">{advice}</p>
            <p className="flex flex-wrap gap-x-3 gap-y-1">
              {action_ids.map((id) => (
                <Link
                  key={id}
                  to="."
                  search={(before: Record<string, string>) => ({
                    ...before,
                    action: id,
                    sequence: undefined,
                  })}
                  resetScroll={false}
                  className="text-link break-all"
                >
                  {names.get(id) || id}
                </Link>
              ))}
            </p>
          </li>
        ))}
      </ul>
      {values.length === 0 ? null : (
        <div className="flex flex-col gap-3 rounded-lg border border-line bg-surface p-4">
          <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
            <h3 className="font-semibold">Values that are the likely cause</h3>
            {values.filter(({ suggestion_id }) => suggestion_id !== null).length < 2 ? null : (
              <Link
                to="/virtual-users/$virtualUserId/correlations"
                params={{ virtualUserId: validation.virtual_user_id }}
                className={buttonClass('primary')}
              >
                See all suggestions
              </Link>
            )}
          </div>
          <ul aria-label="Values that are the likely cause" className="flex flex-col gap-3">
            {values.map(({ action_id, why, value, replayed_value, suggestion_id }) => (
              <li
                key={`${action_id} ${why}`}
                className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2"
              >
                <div className="min-w-0 flex-1 basis-80">
                  <Link
                    to="."
                    search={(before: Record<string, string>) => ({
                      ...before,
                      action: action_id,
                      sequence: undefined,
                    })}
                    resetScroll={false}
                    className="hover:underline"
                  >
                    {why}
                  </Link>
                  {value === null ? null : (
                    <p className="font-mono text-sm break-all text-muted">
                      {value}
                      {replayed_value === null ? '' : ` → ${replayed_value}`}
                    </p>
                  )}
                </div>
                {suggestion_id === null ? null : (
                  <Link
                    to="/virtual-users/$virtualUserId/correlations"
                    params={{ virtualUserId: validation.virtual_user_id }}
                    search={{ suggestion: suggestion_id }}
                    className={buttonClass('secondary')}
                  >
                    See the suggestion
                  </Link>
                )}
              </li>
            ))}
          </ul>
        </div>
      )}
    </Section>
  )
}

const outcomeChoices = [
  { id: 'all', label: 'All outcomes' },
  { id: 'failed', label: 'Failed' },
  { id: 'passed', label: 'Passed' },
  { id: 'skipped', label: 'Skipped' },
]

function Actions() {
  const { validationId } = route.useParams()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const change: ChangeExchangeSearch & ((change: typeof search) => void) = useCallback(
    (part: typeof search) =>
      void navigate({ search: (before) => ({ ...before, ...part }), replace: true, resetScroll: false }),
    [navigate],
  )
  const [words, setWords] = useTypedWords(search.search, (text) => change({ search: text }))
  const query = useAnswer(
    operations.getValidationWaterfall,
    {
      validation_id: validationId,
      ...(search.iteration === undefined ? {} : { iteration: Number(search.iteration) }),
    },
    { keepPrevious: true, pollWhile: ({ next_poll_seconds }) => next_poll_seconds !== null },
  )
  const fits = useMemo(() => filterOf(search.outcome, search.search), [search.outcome, search.search])
  return (
    <Section title="Actions" aside={<PhaseLegend />}>
      <Answer query={query} skeleton={<SkeletonTable rows={10} />}>
        {({ actions, validation, omitted_actions }) => {
          const chosen = rowOf(actions, search.action, search.sequence)
          const viewed = search.action
          return (
            <div className="flex flex-col gap-4">
              <search aria-label="Filters" className="flex flex-wrap gap-3">
                <Select
                  label="Outcome"
                  hideLabel
                  className="w-40"
                  choices={outcomeChoices}
                  value={search.outcome ?? 'all'}
                  onChange={(id) => change({ outcome: id === 'all' ? '' : id })}
                />
                {validation.iterations === 1 ? null : (
                  <Select
                    label="Iteration"
                    hideLabel
                    className="w-44"
                    choices={[
                      { id: '', label: 'All iterations' },
                      ...Array.from({ length: validation.iterations }, (_, place) => ({
                        id: String(place + 1),
                        label: `Iteration ${place + 1}`,
                      })),
                    ]}
                    value={search.iteration ?? ''}
                    onChange={(id) => change({ iteration: id, sequence: '' })}
                  />
                )}
                <SearchField
                  label="Search actions"
                  value={words}
                  onChange={setWords}
                  className="w-64 max-sm:w-full"
                />
              </search>
              <div
                className={
                  viewed === undefined
                    ? ''
                    : 'grid items-start gap-4 lg:grid-cols-[minmax(0,5fr)_minmax(0,7fr)]'
                }
              >
                {viewed === undefined ? null : (
                  <div className="min-w-0 lg:sticky lg:top-4 lg:order-2 lg:max-h-[calc(100dvh-2rem)] lg:overflow-y-auto">
                    <ExchangeViewer
                      key={`${viewed} ${chosen?.sequence}`}
                      validationId={validationId}
                      actionId={viewed}
                      sequence={chosen?.sequence}
                      search={search}
                      change={change}
                    />
                  </div>
                )}
                <div className="min-w-0">
                  <ActionTable
                    rows={actions}
                    fits={fits}
                    chosen={chosen?.sequence}
                    whenEmpty={isOver(validation) ? 'No action that fits.' : 'Nothing has happened yet.'}
                  />
                </div>
              </div>
              {omitted_actions === 0 ? null : (
                <p className="text-muted">
                  {omitted_actions.toLocaleString()} more are not shown: choose one iteration.
                </p>
              )}
            </div>
          )
        }}
      </Answer>
    </Section>
  )
}

function filterOf(outcome: string | undefined, text: string | undefined): (row: ActionRow) => boolean {
  const words = (text ?? '').trim().toLowerCase()
  return (row) =>
    (outcome === undefined || row.outcome === outcome) &&
    (words === '' ||
      `${row.name} ${row.type} ${row.action_id} ${row.failure ?? ''}`.toLowerCase().includes(words))
}
