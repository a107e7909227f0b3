import { type AnswerOf, operations } from '@flamegate/contract'
import { type KeyboardEvent, useMemo } from 'react'
import { Button } from '../components/button.tsx'
import { FormMessages } from '../components/form-messages.ts'
import { PlusIcon } from '../components/icons.tsx'
import { Section } from '../components/section.tsx'
import { FaultsNote } from '../documents/faults-note.tsx'
import { EditingContext } from '../documents/editing.ts'
import { FieldRows } from '../documents/field-view.tsx'
import { objectsIn, textOf } from '../documents/json.ts'
import { LeaveGuard } from '../documents/leave-guard.tsx'
import { SaveBar } from '../documents/save-bar.tsx'
import { UndoButtons } from '../documents/undo-buttons.tsx'
import { useDocumentDraft } from '../documents/use-document-draft.ts'
import { StaleVersion } from '../versions/stale-version.tsx'
import { versionsOf } from '../versions/use-versions.ts'
import { curvesOf } from './curves-of.ts'
import { LoadChart } from './load-chart.tsx'
import { PreflightPanel } from './preflight-panel.tsx'
import { ProfileCard } from './profile-card.tsx'
import { newLoad, scenarioFields } from './profile-fields.ts'
import { ScenarioChanges } from './scenario-changes.tsx'
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
  const { scenario } = saved
  const edited = useDocumentDraft({
    saved: { document: saved.document, version: scenario.version },
    mayChange,
    operation: operations.patchScenario,
    inputOf: (saving) => ({ scenario_id: scenario.id, ...saving }),
    versionOf: ({ scenario: { version } }) => version,
    source: operations.getScenario,
    outdates: [operations.listScenarioVersions, operations.listScenarios, operations.preflightScenario],
  })
  const { change, undo, redo } = edited
  const { document } = edited.draft
  const curves = useMemo(() => curvesOf(document), [document])
  const editing = useMemo(() => ({ servers: [], change }), [change])
  const onKeyDown = (event: KeyboardEvent) => {
    if (!(event.ctrlKey || event.metaKey) || !mayChange) return
    // In a field the browser has an undo of its own, for what is typed.
    if (event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement) return
    const key = event.key.toLowerCase()
    if (key === 'z' && !event.shiftKey) undo()
    else if (key === 'y' || key === 'z') redo()
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
  return (
    <EditingContext value={editing}>
      <LeaveGuard isDirty={edited.isDirty} />
      {edited.isStale ? (
        <StaleVersion
          edited={edited}
          source={versionsOf(operations.listScenarioVersions, { scenario_id: scenario.id })}
          renderChanges={(changes, count) => <ScenarioChanges changes={changes} count={count} />}
        />
      ) : null}
      {edited.isRefusedForPlaces ? (
        <FaultsNote
          key={edited.attempt}
          faults={edited.faults}
          document={document}
          list="profiles"
          nameOf={({ name }) => textOf(name)}
        />
      ) : null}
      <div
        onKeyDownCapture={onKeyDown}
        className="grid min-w-0 gap-6 xl:grid-cols-[minmax(0,1fr)_24rem] xl:items-start"
      >
        <FormMessages value={edited.faults}>
          <div className="flex min-w-0 flex-col gap-8">
            <Section title="Load" aside={mayChange ? <UndoButtons edited={edited} /> : undefined}>
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
          isDirty={edited.isDirty}
        />
      </div>
      <SaveBar edited={edited} />
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
