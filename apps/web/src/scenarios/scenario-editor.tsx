import { ApiProblem } from '@flamegate/client'
import { type AnswerOf, operations } from '@flamegate/contract'
import { useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, useCallback, useMemo, useState } from 'react'
import { useCall } from '../api.ts'
import { Button, IconButton } from '../components/button.tsx'
import { FormMessages } from '../components/form-messages.ts'
import { PlusIcon, RedoIcon, UndoIcon } from '../components/icons.tsx'
import { Section } from '../components/section.tsx'
import { say } from '../components/toasts.tsx'
import { FaultsNote } from '../design/faults-note.tsx'
import { documentFaults } from '../virtual-users/document-faults.ts'
import { changed, type Draft, patchOf, rebased, redone, startDraft, undone } from '../virtual-users/draft.ts'
import { type Change, EditingContext } from '../virtual-users/editing.ts'
import { FieldRows } from '../virtual-users/field-view.tsx'
import { objectsIn, textOf } from '../virtual-users/json.ts'
import { PatchMisfit } from '../virtual-users/json-patch.ts'
import { LeaveGuard } from '../virtual-users/leave-guard.tsx'
import { SaveBar } from '../virtual-users/save-bar.tsx'
import { curvesOf } from './curves-of.ts'
import { LoadChart } from './load-chart.tsx'
import { PreflightPanel } from './preflight-panel.tsx'
import { ProfileCard } from './profile-card.tsx'
import { newLoad, scenarioFields } from './profile-fields.ts'
import { StaleScenario } from './stale-scenario.tsx'
import { ThresholdList } from './threshold-list.tsx'
import type { VirtualUserChoices } from './use-virtual-users.ts'

interface Props {
  /** As it is saved by now. */
  saved: AnswerOf<typeof operations.getScenario>
  virtualUsers: VirtualUserChoices
  mayChange: boolean
}

/** The editor of a scenario: its load as it is written, its user profiles and thresholds, and what is not saved yet. */
export function ScenarioEditor({ saved, virtualUsers, mayChange }: Props) {
  const { scenario, document: savedDocument } = saved
  const queries = useQueryClient()
  const [draft, setDraft] = useState(() => startDraft(savedDocument, scenario.version))
  const isDirty = draft.done.length > 0
  if (!isDirty && scenario.version >= draft.version && savedDocument !== draft.base)
    setDraft(startDraft(savedDocument, scenario.version))
  const isStale = isDirty && scenario.version > draft.version
  const { document } = draft
  const curves = useMemo(() => curvesOf(document), [document])
  const saving = useCall(operations.patchScenario, [
    operations.getScenario,
    operations.listScenarioVersions,
    operations.listScenarios,
    operations.preflightScenario,
  ])
  const faults = useMemo(() => documentFaults(saving.error), [saving.error])
  const isRefusedForPlaces = Object.keys(faults).length > 0
  const { reset, isPending } = saving
  const change = useCallback(
    (words: string, patch: Change) => {
      if (!mayChange || isPending) return
      setDraft((before) => tryChanged(before, words, patch))
    },
    [mayChange, isPending],
  )
  const editing = useMemo(() => ({ servers: [], change }), [change])
  const step = (move: (draft: Draft) => Draft) => {
    reset()
    setDraft(move)
  }
  const save = (label: string) =>
    saving.mutate(
      {
        scenario_id: scenario.id,
        patch: patchOf(draft),
        if_version: draft.version,
        ...(label === '' ? {} : { label }),
      },
      {
        onSuccess: ({ scenario: { version } }) => {
          setDraft(startDraft(document, version))
          say(`Version ${version} is saved.`)
        },
        onError: (error) => {
          // Somebody was first: the newer version is asked for, and shown.
          if (error instanceof ApiProblem && error.code === 'version_mismatch')
            void queries.invalidateQueries({ queryKey: [operations.getScenario.id] })
        },
      },
    )
  const onKeyDown = (event: KeyboardEvent) => {
    if (!(event.ctrlKey || event.metaKey) || !mayChange) return
    // In a field the browser has an undo of its own, for what is typed.
    if (event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement) return
    const key = event.key.toLowerCase()
    if (key === 'z' && !event.shiftKey) step(undone)
    else if (key === 'y' || key === 'z') step(redone)
    else return
    event.preventDefault()
  }
  const profiles = objectsIn(document['profiles'])
  const addProfile = () => {
    const [first] = virtualUsers.users
    change('Added a user profile', (before) => {
      const list = objectsIn(before['profiles'])
      const ids = new Set(list.map(({ id }) => id))
      let number = list.length + 1
      while (ids.has(`profile_${number}`)) number++
      const names = new Set(list.map(({ name }) => name))
      const value = {
        id: `profile_${number}`,
        name: first === undefined || names.has(first.name) ? `Profile ${number}` : first.name,
        enabled: true,
        virtual_user_id: first?.id ?? null,
        agent_group: 'default',
        load: newLoad,
        ...newProfile,
      }
      return [{ op: 'add', path: `/profiles/${list.length}`, value }]
    })
  }
  const undoes = draft.done.at(-1)?.words
  const redoes = draft.undone.at(-1)?.words
  return (
    <EditingContext value={editing}>
      <LeaveGuard isDirty={isDirty} />
      {isStale ? (
        <StaleScenario
          scenarioId={scenario.id}
          version={draft.version}
          newest={scenario.version}
          onApply={() => {
            const result = rebased(draft, savedDocument, scenario.version)
            reset()
            setDraft(result.draft)
            if (result.lost.length > 0) say(`Fits no longer, and is left out: ${result.lost.join(', ')}.`)
          }}
          onDiscard={() => setDraft(startDraft(savedDocument, scenario.version))}
        />
      ) : null}
      {isRefusedForPlaces ? (
        <FaultsNote
          key={saving.submittedAt}
          faults={faults}
          document={document}
          list="profiles"
          nameOf={({ name }) => textOf(name)}
        />
      ) : null}
      <div
        onKeyDownCapture={onKeyDown}
        className="grid min-w-0 gap-6 xl:grid-cols-[minmax(0,1fr)_24rem] xl:items-start"
      >
        <FormMessages value={faults}>
          <div className="flex min-w-0 flex-col gap-8">
            <Section
              title="Load"
              aside={
                mayChange ? (
                  <span className="flex">
                    <IconButton
                      label={undoes === undefined ? 'Undo' : `Undo: ${undoes}`}
                      isDisabled={undoes === undefined}
                      onPress={() => step(undone)}
                    >
                      <UndoIcon />
                    </IconButton>
                    <IconButton
                      label={redoes === undefined ? 'Redo' : `Redo: ${redoes}`}
                      isDisabled={redoes === undefined}
                      onPress={() => step(redone)}
                    >
                      <RedoIcon />
                    </IconButton>
                  </span>
                ) : undefined
              }
            >
              <div className="flex flex-col gap-6 rounded-lg border border-line bg-surface p-4">
                {curves.users.length + curves.rates.length === 0 ? (
                  <p className="text-muted">No load yet. It is drawn here as you write it.</p>
                ) : null}
                {curves.users.length === 0 ? null : (
                  <LoadChart unit="Users" curves={curves.users} durationMs={curves.durationMs} />
                )}
                {curves.rates.length === 0 ? null : (
                  <LoadChart
                    unit="Iterations per second"
                    curves={curves.rates}
                    durationMs={curves.durationMs}
                  />
                )}
                {curves.unreadable.length === 0 ? null : (
                  <p className="text-sm text-muted">Not drawn: {curves.unreadable.join(', ')}.</p>
                )}
              </div>
            </Section>
            <Section
              title="User profiles"
              aside={
                mayChange ? (
                  <Button onPress={addProfile} isDisabled={virtualUsers.areComing}>
                    <PlusIcon />
                    Add a profile
                  </Button>
                ) : undefined
              }
            >
              {profiles.length === 0 ? (
                <p className="text-muted">None yet. A profile is a virtual user under a load.</p>
              ) : (
                <ol className="flex flex-col gap-4">
                  {profiles.map((profile, index) => (
                    <ProfileCard
                      key={textOf(profile['id']) || index}
                      profile={profile}
                      index={index}
                      virtualUsers={virtualUsers.users}
                      mayChange={mayChange}
                    />
                  ))}
                </ol>
              )}
            </Section>
            <ThresholdList
              thresholds={Array.isArray(document['thresholds']) ? document['thresholds'] : []}
              mayChange={mayChange}
            />
            <Section title="Settings">
              <fieldset disabled={!mayChange} className="contents">
                <legend className="sr-only">Settings of the scenario</legend>
                <FieldRows fields={scenarioFields} pointer="" value={document} />
              </fieldset>
            </Section>
          </div>
        </FormMessages>
        <PreflightPanel
          scenarioId={scenario.id}
          projectId={scenario.project_id}
          version={scenario.version}
          isDirty={isDirty}
        />
      </div>
      {isDirty && !isStale ? (
        <SaveBar
          draft={draft}
          isPending={isPending}
          error={isRefusedForPlaces ? null : saving.error}
          onSave={save}
          onDiscard={() => {
            reset()
            setDraft((before) => startDraft(before.base, before.version))
          }}
        />
      ) : null}
    </EditingContext>
  )
}

/** What is shown of a new profile before the server fills in the rest. */
const newProfile = {
  start_delay_ms: 0,
  think_time_factor: 1,
  pacing: null,
  network: { download_bits_per_second: null, upload_bits_per_second: null, latency_ms: 0 },
  keep_alive: true,
  http_version: 'of_server',
  proxy_url: null,
  variables: {},
  engine: { type: 'flamegate' },
}

function tryChanged(before: Draft, words: string, patch: Change): Draft {
  try {
    return changed(before, words, typeof patch === 'function' ? patch(before.document) : patch)
  } catch (error) {
    // What the patch was made for is gone since, for instance undone.
    if (error instanceof PatchMisfit) return before
    throw error
  }
}
