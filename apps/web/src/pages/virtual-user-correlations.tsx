import { ApiProblem } from '@flamegate/client'
import { operations, type RawInputOf } from '@flamegate/contract'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useAnswer, useCall } from '../api.ts'
import { Answer } from '../components/answer.tsx'
import { Button, buttonClass } from '../components/button.tsx'
import { Checkbox } from '../components/checkbox.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { ProblemNote } from '../components/problem-note.tsx'
import { Section } from '../components/section.tsx'
import { Select } from '../components/select.tsx'
import { SkeletonBlock } from '../components/skeleton.tsx'
import { say } from '../components/toasts.tsx'
import { useMayInProject } from '../shell/project-role.ts'
import { type Applied, ApplyDialog } from '../validation/apply-dialog.tsx'
import { outdatedByCorrelating } from '../validation/outdated.ts'
import { StartValidation } from '../validation/start-validation.tsx'
import { type Suggestion, SuggestionCard } from '../validation/suggestion-card.tsx'
import { useVirtualUser, type VirtualUser, VirtualUserFrame } from '../validation/virtual-user-frame.tsx'

const route = getRouteApi('/app/virtual-users/$virtualUserId/correlations')

type ApplyInput = Omit<RawInputOf<typeof operations.applyCorrelationsToVirtualUser>, 'virtual_user_id'>

/** Values that a virtual user sends as they were recorded, and has to take from answers instead. */
export function VirtualUserCorrelationsPage() {
  const { virtualUserId } = route.useParams()
  const user = useVirtualUser(virtualUserId).data?.virtual_user
  const mayChange = useMayInProject(user?.project_id, 'member')
  const [asked, setAsked] = useState<RawInputOf<typeof operations.applyCorrelationsToVirtualUser>>()
  const [applied, setApplied] = useState<Applied>()
  const ask = (input: ApplyInput) => setAsked({ virtual_user_id: virtualUserId, ...input })
  return (
    <VirtualUserFrame
      virtualUserId={virtualUserId}
      current="/correlations"
      title="Correlations"
      lead="Values that came in an answer and are sent later, such as tokens and created ids"
      actions={<StartValidation virtualUserId={virtualUserId} label="Validate" />}
    >
      {applied === undefined ? null : <Undo applied={applied} onUndone={() => setApplied(undefined)} />}
      <Suggestions mayChange={mayChange} onAsk={ask} />
      {user === undefined || !mayChange || user.recording_id === null ? null : (
        <Rules user={user} onAsk={ask} />
      )}
      {asked === undefined ? null : (
        <ApplyDialog
          input={asked}
          onClose={() => setAsked(undefined)}
          onApplied={(answer) => {
            setAsked(undefined)
            setApplied(answer)
          }}
        />
      )}
    </VirtualUserFrame>
  )
}

function Undo({ applied, onUndone }: { applied: Applied; onUndone: () => void }) {
  const { virtual_user_id: id, version, previous_version, applied: values } = applied
  const call = useCall(operations.patchVirtualUser, outdatedByCorrelating)
  return (
    <output className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 rounded-lg bg-better-soft p-4">
      <p>
        {values.length === 1 ? 'One value is' : `${values.length} values are`} taken from answers now, in
        version {version}. Validate it to see whether it passes.
      </p>
      <Button
        isDisabled={call.isPending}
        onPress={() =>
          call.mutate(
            { virtual_user_id: id, restore_version: previous_version, if_version: version },
            {
              onSuccess: () => {
                say(`It is again as version ${previous_version} was.`)
                onUndone()
              },
            },
          )
        }
      >
        Undo
      </Button>
      {call.error === null ? null : <ProblemNote error={call.error} />}
    </output>
  )
}

const confidences = [
  { id: '0.8', label: 'Only sure ones (80 %)' },
  { id: '0.5', label: 'Likely ones (50 %)' },
  { id: '0.3', label: 'Possible ones (30 %)' },
  { id: '0', label: 'All, however unsure' },
]

interface SuggestionsProps {
  mayChange: boolean
  onAsk: (input: ApplyInput) => void
}

function Suggestions({ mayChange, onAsk }: SuggestionsProps) {
  const { virtualUserId } = route.useParams()
  const { suggestion: meant, confidence = '0.3' } = route.useSearch()
  const navigate = route.useNavigate()
  const query = useAnswer(
    operations.suggestCorrelations,
    { virtual_user_id: virtualUserId, min_confidence: Number(confidence), limit: 200 },
    { keepPrevious: true },
  )
  if (query.error instanceof ApiProblem && query.error.code === 'no_recording') {
    return (
      <EmptyState title="There is no recording to search">
        <p>{query.error.message}</p>
        <Link to="/virtual-users/$virtualUserId" params={{ virtualUserId }} className={buttonClass()}>
          Open the editor
        </Link>
      </EmptyState>
    )
  }
  return (
    <Section
      title="Suggestions"
      aside={
        <Select
          label="How sure"
          hideLabel
          className="w-56"
          choices={confidences}
          value={confidence}
          onChange={(id) =>
            void navigate({
              search: (before) => ({ ...before, confidence: id === '0.3' ? '' : id }),
              replace: true,
              resetScroll: false,
            })
          }
        />
      }
    >
      <Answer query={query} skeleton={<SkeletonBlock height="24rem" />}>
        {({ suggestions, notes }) => (
          <div className="flex flex-col gap-4">
            {suggestions.length === 0 ? (
              <EmptyState title="Nothing that looks dynamic">
                <p>
                  What is sent is the same each time, or is taken from answers already. After a validation
                  more is known: its answers are compared with the recording.
                </p>
              </EmptyState>
            ) : (
              <Ticked
                // Ticks are of these.
                key={suggestions.map(({ id }) => id).join()}
                suggestions={suggestions}
                meant={meant}
                mayChange={mayChange}
                onAsk={onAsk}
              />
            )}
            {notes.map((note) => (
              <p key={note} className="max-w-prose text-sm text-muted">
                {note}
              </p>
            ))}
          </div>
        )}
      </Answer>
    </Section>
  )
}

/** Those that are this sure are ticked at first. */
const tickedFrom = 0.5

interface TickedProps extends SuggestionsProps {
  suggestions: readonly Suggestion[]
  /** Id of the one that the address leads to. */
  meant: string | undefined
}

function Ticked({ suggestions, meant, mayChange, onAsk }: TickedProps) {
  const { virtualUserId } = route.useParams()
  const [ids, setIds] = useState<ReadonlySet<string>>(
    () =>
      new Set(
        suggestions
          .filter(({ id, confidence }) => (meant === undefined ? confidence >= tickedFrom : id === meant))
          .map(({ id }) => id),
      ),
  )
  const tick = (id: string, isTicked: boolean) =>
    setIds((before) => new Set(isTicked ? [...before, id] : [...before].filter((each) => each !== id)))
  return (
    <>
      {mayChange ? (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4">
          <Checkbox
            isSelected={ids.size === suggestions.length}
            isIndeterminate={ids.size > 0 && ids.size < suggestions.length}
            onChange={(all) => setIds(new Set(all ? suggestions.map(({ id }) => id) : []))}
          >
            {ids.size} of {suggestions.length} selected
          </Checkbox>
          <Button
            variant="primary"
            isDisabled={ids.size === 0}
            onPress={() => onAsk({ suggestion_ids: [...ids] })}
          >
            Apply the selected…
          </Button>
        </div>
      ) : null}
      <ul aria-label="Suggestions" className="grid gap-4 2xl:grid-cols-2">
        {suggestions.map((suggestion) => (
          <SuggestionCard
            key={suggestion.id}
            virtualUserId={virtualUserId}
            suggestion={suggestion}
            isMeant={suggestion.id === meant}
            isTicked={ids.has(suggestion.id)}
            onTick={mayChange ? (isTicked) => tick(suggestion.id, isTicked) : undefined}
          />
        ))}
      </ul>
    </>
  )
}

const ofProject = 'the project'

function Rules({ user, onAsk }: { user: VirtualUser; onAsk: (input: ApplyInput) => void }) {
  const query = useAnswer(operations.listCorrelationRules, { project_id: user.project_id, limit: 100 })
  const [chosen, setChosen] = useState(ofProject)
  return (
    <Section title="Apply rules">
      <p className="max-w-prose text-muted">
        Rules know where a framework puts its tokens. They are looked for in the recording; what they find is
        taken from answers. The project's own are{' '}
        <Link
          to="/projects/$projectId/correlation-rules"
          params={{ projectId: user.project_id }}
          className="text-link"
        >
          under Correlation rules
        </Link>
        .
      </p>
      <Answer query={query} skeleton={<SkeletonBlock height="2.25rem" />}>
        {({ rules, frameworks }) => (
          <div className="flex flex-wrap items-end gap-3">
            <Select
              label="Rules of"
              className="w-72 max-w-full"
              value={chosen}
              onChange={setChosen}
              choices={[
                {
                  id: ofProject,
                  label: 'This project',
                  note: `${rules.filter(({ enabled }) => enabled).length} switched on`,
                },
                ...frameworks.map(({ id, title, rule_names }) => ({
                  id,
                  label: title,
                  note: rule_names.join(', '),
                })),
              ]}
            />
            <Button
              onPress={() => onAsk(chosen === ofProject ? { project_rules: true } : { framework: chosen })}
            >
              See what they find…
            </Button>
          </div>
        )}
      </Answer>
    </Section>
  )
}
