import { operations } from '@flamegate/contract'
import type { ReportItemType } from '@flamegate/loadtest/report'
import { useMemo } from 'react'
import { FormMessages } from '../components/form-messages.ts'
import { Section } from '../components/section.tsx'
import { Select } from '../components/select.tsx'
import { FaultsNote } from '../documents/faults-note.tsx'
import { EditingContext } from '../documents/editing.ts'
import { FieldRows } from '../documents/field-view.tsx'
import { objectsIn, textOf } from '../documents/json.ts'
import { LeaveGuard } from '../documents/leave-guard.tsx'
import { SaveBar } from '../documents/save-bar.tsx'
import { UndoButtons } from '../documents/undo-buttons.tsx'
import { useDocumentDraft } from '../documents/use-document-draft.ts'
import { DocumentChanges } from '../versions/document-changes.tsx'
import { StaleVersion } from '../versions/stale-version.tsx'
import { versionsOf } from '../versions/use-versions.ts'
import { ItemCard } from './item-card.tsx'
import { itemTypeChoices, newItem, reportFields, trendField } from './item-fields.ts'
import { itemTypeLabel, itemTypes } from './item-types.ts'
import { outdatedByReportChange } from './outdated.ts'
import type { ReportAnswer } from './report-source.ts'
import { RunList } from './run-list.tsx'
import { useBenchRuns } from './use-bench-runs.ts'
import { useScenarioChoices } from './use-scenario-choices.ts'

/** Stands for no type among those that can be added. */
const nothing = 'nothing'

/** The editor of a report: its items, the runs that it is about, and what is not saved yet. */
export function ReportEditor({ saved }: { saved: ReportAnswer }) {
  const { bench_report: report } = saved
  const edited = useDocumentDraft({
    saved: { document: saved.document, version: report.version },
    mayChange: true,
    operation: operations.patchBenchReport,
    inputOf: ({ patch, ...rest }) => ({
      bench_report_id: report.id,
      patch: patch.map((operation) => ({ ...operation })),
      ...rest,
    }),
    versionOf: ({ bench_report: { version } }) => version,
    source: operations.getBenchReport,
    outdates: outdatedByReportChange,
  })
  const { draft, faults, change } = edited
  const { document } = draft
  const editing = useMemo(() => ({ servers: [], change }), [change])
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
  return (
    <EditingContext value={editing}>
      <LeaveGuard isDirty={edited.isDirty} />
      <div className="flex max-w-4xl min-w-0 flex-col gap-8">
        {edited.isStale ? (
          <StaleVersion
            edited={edited}
            source={versionsOf(operations.listBenchReportVersions, { bench_report_id: report.id })}
            renderChanges={(changes, count) => <DocumentChanges changes={changes} count={count} />}
          />
        ) : null}
        {edited.isRefusedForPlaces ? (
          <FaultsNote
            key={edited.attempt}
            faults={faults}
            document={document}
            list="items"
            nameOf={({ title, type }) => textOf(title) || itemTypeLabel(textOf(type))}
          />
        ) : null}
        <FormMessages value={faults}>
          <Section title="Report">
            <FieldRows fields={reportFields} pointer="" value={document} />
            <RunList document={document} ids={runIds} names={runNames} runs={runs} />
            <FieldRows fields={[trendField(scenarios)]} pointer="" value={document} />
          </Section>
          <Section title="Items" aside={<UndoButtons edited={edited} />}>
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
        <SaveBar edited={edited} />
      </div>
    </EditingContext>
  )
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the names of the object
const typeNames = Object.keys(itemTypes) as ReportItemType[]
