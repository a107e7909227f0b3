import { ApiProblem } from '@flamegate/client'
import { operations } from '@flamegate/contract'
import type { ReportItemType } from '@flamegate/loadtest/report'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import { useCall } from '../api.ts'
import { IconButton } from '../components/button.tsx'
import { FormMessages } from '../components/form-messages.ts'
import { RedoIcon, UndoIcon } from '../components/icons.tsx'
import { Section } from '../components/section.tsx'
import { Select } from '../components/select.tsx'
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
import { ItemCard } from './item-card.tsx'
import { itemTypeChoices, newItem, reportFields, trendField } from './item-fields.ts'
import { itemTypeLabel, itemTypes } from './item-types.ts'
import { outdatedByReportChange } from './outdated.ts'
import type { ReportAnswer } from './report-source.ts'
import { RunList } from './run-list.tsx'
import { StaleReport } from './stale-report.tsx'
import { useBenchRuns } from './use-bench-runs.ts'
import { useScenarioChoices } from './use-scenario-choices.ts'

/** Stands for no type among those that can be added. */
const nothing = 'nothing'

/** The editor of a report: its items, the runs that it is about, and what is not saved yet. */
export function ReportEditor({ saved }: { saved: ReportAnswer }) {
  const { bench_report: report, document: savedDocument } = saved
  const queries = useQueryClient()
  const [draft, setDraft] = useState(() => startDraft(savedDocument, report.version))
  const isDirty = draft.done.length > 0
  if (!isDirty && report.version >= draft.version && savedDocument !== draft.base)
    setDraft(startDraft(savedDocument, report.version))
  const isStale = isDirty && report.version > draft.version
  const { document } = draft
  const saving = useCall(operations.patchBenchReport, outdatedByReportChange)
  const faults = useMemo(() => documentFaults(saving.error), [saving.error])
  const isRefusedForPlaces = Object.keys(faults).length > 0
  const { reset, isPending } = saving
  const change = useCallback(
    (words: string, patch: Change) => {
      if (!isPending) setDraft((before) => tryChanged(before, words, patch))
    },
    [isPending],
  )
  const editing = useMemo(() => ({ servers: [], change }), [change])
  const step = (move: (draft: Draft) => Draft) => {
    reset()
    setDraft(move)
  }
  const save = (label: string) =>
    saving.mutate(
      {
        bench_report_id: report.id,
        patch: patchOf(draft).map((operation) => ({ ...operation })),
        if_version: draft.version,
        ...(label === '' ? {} : { label }),
      },
      {
        onSuccess: ({ bench_report: { version } }) => {
          setDraft(startDraft(document, version))
          say(`Version ${version} is saved.`)
        },
        onError: (error) => {
          // Somebody was first: the newer version is asked for, and shown.
          if (error instanceof ApiProblem && error.code === 'version_mismatch')
            void queries.invalidateQueries({ queryKey: [operations.getBenchReport.id] })
        },
      },
    )
  const runs = useBenchRuns(report.project_id)
  const scenarios = useScenarioChoices(report.project_id)
  const runIds = Array.isArray(document['bench_result_ids']) ? document['bench_result_ids'].map(textOf) : []
  const runNames = new Map([
    ...runs.map(({ id, name }) => [id, name] as const),
    ...saved.runs.flatMap((run) => (run === null ? [] : [[run.id, run.name] as const])),
  ])
  const runChoices = runIds.map((id, index) => ({
    id: String(index),
    label: runNames.get(id) ?? 'A run that was deleted',
  }))
  const items = objectsIn(document['items'])
  const add = (type: ReportItemType) =>
    change(`Added ${itemTypes[type].label.toLowerCase()}`, (before) => {
      const list = objectsIn(before['items'])
      const value = newItem(type, new Set(list.map(({ id }) => id)))
      return Array.isArray(before['items'])
        ? [{ op: 'add', path: `/items/${list.length}`, value }]
        : [{ op: 'add', path: '/items', value: [value] }]
    })
  const undoes = draft.done.at(-1)?.words
  const redoes = draft.undone.at(-1)?.words
  return (
    <EditingContext value={editing}>
      <LeaveGuard isDirty={isDirty} />
      <div className="flex max-w-4xl min-w-0 flex-col gap-8">
        {isStale ? (
          <StaleReport
            reportId={report.id}
            version={draft.version}
            newest={report.version}
            onApply={() => {
              const result = rebased(draft, savedDocument, report.version)
              reset()
              setDraft(result.draft)
              if (result.lost.length > 0) say(`Fits no longer, and is left out: ${result.lost.join(', ')}.`)
            }}
            onDiscard={() => setDraft(startDraft(savedDocument, report.version))}
          />
        ) : null}
        {isRefusedForPlaces ? (
          <FaultsNote
            key={saving.submittedAt}
            faults={faults}
            document={document}
            list="items"
            nameOf={({ title, type }) => textOf(title) || itemTypeLabel(textOf(type))}
          />
        ) : null}
        <FormMessages value={faults}>
          <Section title="Report">
            <FieldRows fields={reportFields} pointer="" value={document} />
            <RunList ids={runIds} names={runNames} runs={runs} />
            <FieldRows fields={[trendField(scenarios)]} pointer="" value={document} />
          </Section>
          <Section
            title="Items"
            aside={
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
            }
          >
            {items.length === 0 ? <p className="text-muted">None yet.</p> : null}
            <ol aria-label="Items" className="flex flex-col gap-3">
              {items.map((item, index) => (
                <ItemCard
                  key={textOf(item['id']) || index}
                  item={item}
                  index={index}
                  count={items.length}
                  runs={runChoices}
                  isRefused={Object.keys(faults).some((pointer) => pointer.startsWith(`/items/${index}/`))}
                />
              ))}
            </ol>
            <Select
              label="Add an item"
              hideLabel
              className="w-full max-w-72"
              value={nothing}
              onChange={(chosen) => {
                const type = typeNames.find((name) => name === chosen)
                if (type !== undefined) add(type)
              }}
              choices={[{ id: nothing, label: 'Add an item …' }, ...itemTypeChoices]}
            />
          </Section>
        </FormMessages>
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
      </div>
    </EditingContext>
  )
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the names of the object
const typeNames = Object.keys(itemTypes) as ReportItemType[]

function tryChanged(before: Draft, words: string, patch: Change): Draft {
  try {
    return changed(before, words, typeof patch === 'function' ? patch(before.document) : patch)
  } catch (error) {
    // What the patch was made for is gone since, for instance undone.
    if (error instanceof PatchMisfit) return before
    throw error
  }
}
