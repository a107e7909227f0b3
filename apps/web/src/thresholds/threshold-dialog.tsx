import { type AnswerOf, formatQuantity, operations } from '@flamegate/contract'
import { useState } from 'react'
import { useCall } from '../api.ts'
import { BenchmarkById } from '../components/benchmark-by-id.tsx'
import { BenchmarkPicker } from '../components/benchmark-picker.tsx'
import { DataTable } from '../components/data-table.tsx'
import { Dialog } from '../components/dialog.tsx'
import { FormButtons } from '../components/form-buttons.tsx'
import { Form } from '../components/form.tsx'
import { Select } from '../components/select.tsx'
import { TextField } from '../components/text-field.tsx'
import { say } from '../components/toasts.tsx'
import { isThresholdTest, testLooks, type ThresholdDraft, thresholdInput } from './threshold.ts'

interface Props {
  projectId: string
  /** What the form begins with. */
  start: ThresholdDraft
  /** Whether it changes one that is set: then what it is for stays. */
  isChange: boolean
  onClose: () => void
}

type Raised = AnswerOf<typeof operations.setThreshold>['would_have_raised']

const testChoices = Object.entries(testLooks).map(([id, { words, note }]) => ({ id, label: words, note }))
const fields = [
  'branch',
  'benchmark_id',
  'metric',
  'test',
  'lower_bound',
  'upper_bound',
  'window_runs',
  'sample_min',
]

/** Sets a threshold. It is tried on the last runs first: saving comes after seeing what it would have raised. */
export function ThresholdDialog({ projectId, start, isChange, onClose }: Props) {
  const [draft, setDraft] = useState(start)
  const [tried, setTried] = useState<{ draft: ThresholdDraft; raised: Raised }>()
  const trial = useCall(operations.setThreshold, [])
  const saving = useCall(operations.setThreshold, [operations.listThresholds, operations.checkRegression])
  const change = (part: Partial<ThresholdDraft>) => setDraft((before) => ({ ...before, ...part }))
  const isTried = tried?.draft === draft
  const { limits, usual } = testLooks[draft.test]
  const text = (name: keyof ThresholdDraft) => ({
    value: draft[name],
    onChange: (value: string) => change({ [name]: value }),
  })
  const input = () => thresholdInput(projectId, draft)
  return (
    <Dialog title={isChange ? 'Change a threshold' : 'Set a threshold'} isOpen onClose={onClose} wide>
      <Form
        error={saving.error ?? trial.error}
        fields={fields}
        onSubmit={() => {
          if (isTried) {
            saving.mutate(input(), {
              onSuccess: () => {
                say('The threshold is set.')
                onClose()
              },
            })
          } else {
            trial.mutate(
              { ...input(), dry_run: true },
              { onSuccess: ({ would_have_raised: raised }) => setTried({ draft, raised }) },
            )
          }
        }}
      >
        {isChange ? null : (
          <div className="grid gap-4 sm:grid-cols-3">
            <TextField label="Branch" name="branch" placeholder="All branches" {...text('branch')} />
            {start.benchmarkId === '' ? (
              <BenchmarkPicker
                label="Benchmark"
                placeholder="All benchmarks"
                projectId={projectId}
                value={draft.benchmarkId}
                onChange={(benchmarkId) => change({ benchmarkId })}
              />
            ) : (
              <div className="flex min-w-0 flex-col gap-1">
                <span className="text-sm font-medium">Benchmark</span>
                <span className="flex h-9 items-center">
                  <span className="truncate">
                    <BenchmarkById benchmarkId={start.benchmarkId} />
                  </span>
                </span>
              </div>
            )}
            <TextField label="Metric" name="metric" placeholder="The main one" {...text('metric')} />
          </div>
        )}
        <Select
          label="What raises an alert"
          name="test"
          choices={testChoices}
          value={draft.test}
          onChange={(id) => {
            if (isThresholdTest(id)) change({ test: id, lower: '', upper: testLooks[id].usual })
          }}
        />
        {limits === null ? null : (
          <div className="grid gap-4 sm:grid-cols-2">
            <TextField
              label={`Lower limit (${limits})`}
              name="lower_bound"
              inputMode="decimal"
              placeholder="None"
              {...text('lower')}
            />
            <TextField
              label={`Upper limit (${limits})`}
              name="upper_bound"
              inputMode="decimal"
              placeholder={usual === '' ? 'None' : usual}
              {...text('upper')}
            />
          </div>
        )}
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            label="Runs before it that are looked at"
            name="window_runs"
            inputMode="numeric"
            {...text('windowRuns')}
          />
          <TextField
            label="Nothing is judged with fewer than"
            name="sample_min"
            inputMode="numeric"
            {...text('sampleMin')}
          />
        </div>
        <div aria-live="polite">
          {isTried && tried !== undefined ? <WouldHaveRaised raised={tried.raised} /> : null}
        </div>
        <FormButtons
          action={isTried ? 'Save' : trial.isPending ? 'Trying…' : 'Try on the last runs'}
          isDisabled={trial.isPending || saving.isPending}
          onCancel={onClose}
        />
      </Form>
    </Dialog>
  )
}

function WouldHaveRaised({ raised }: { raised: Raised }) {
  if (raised.length === 0) {
    return (
      <p className="rounded-md bg-better-soft px-3 py-2">It would have raised nothing in the last runs.</p>
    )
  }
  return (
    <div className="flex flex-col gap-2">
      <p className="font-medium">
        {raised.length === 1
          ? 'It would have raised one alert'
          : `It would have raised ${raised.length === 100 ? '100 or more' : raised.length} alerts`}
        {' in the last runs:'}
      </p>
      <div className="max-h-72 overflow-y-auto">
        <DataTable
          label="What it would have raised"
          rows={raised}
          rowKey={({ benchmark_id, run_id }) => `${benchmark_id} ${run_id}`}
          stacks
          whenEmpty=""
          columns={[
            {
              key: 'benchmark',
              title: 'Benchmark',
              grow: true,
              render: ({ uri, reason }) => (
                <span className="block min-w-0" title={reason}>
                  <span className="block truncate font-medium">{uri}</span>
                  <span className="line-clamp-2 text-sm text-muted">{reason}</span>
                </span>
              ),
            },
            {
              key: 'value',
              title: 'Value',
              align: 'right',
              render: ({ value, unit }) => formatQuantity(value, unit),
            },
            {
              key: 'limit',
              title: 'Limit',
              align: 'right',
              render: ({ limit, unit }) => (limit === null ? '–' : formatQuantity(limit, unit)),
            },
          ]}
        />
      </div>
    </div>
  )
}
