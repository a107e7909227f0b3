import { operations } from '@flamegate/contract'
import { useState } from 'react'
import { useCall } from '../api.ts'
import { typedNumber } from '../documents/typed-number.ts'
import { Button } from '../components/button.tsx'
import { Checkbox } from '../components/checkbox.tsx'
import { Dialog } from '../components/dialog.tsx'
import { FormButtons } from '../components/form-buttons.tsx'
import { Form, textOf } from '../components/form.tsx'
import { PlusIcon } from '../components/icons.tsx'
import { Select } from '../components/select.tsx'
import { TextArea } from '../components/text-area.tsx'
import { TextField } from '../components/text-field.tsx'
import {
  fieldsOf,
  hasSecret,
  hasTls,
  monitorTypes,
  namesIn,
  newThreshold,
  splitNames,
  thresholdDrafts,
  thresholdOf,
  wordOf,
  type Monitor,
  type MonitorType,
} from './monitor-draft.ts'
import { ThresholdFields } from './threshold-fields.tsx'

interface Props {
  projectId: string
  /** The one to change; a new one when left out. */
  monitor?: Monitor
  onSaved: (monitor: Monitor) => void
  onClose: () => void
}

const tlsChoices = [
  { id: 'disable', label: 'not encrypted' },
  { id: 'require', label: 'encrypted' },
  { id: 'verify_full', label: 'encrypted, and the certificate is checked' },
]

/** Makes a monitor or changes one: what it connects to, which counters it keeps, and its thresholds. */
export function MonitorDialog({ projectId, monitor, onSaved, onClose }: Props) {
  const document = monitor?.document ?? {}
  const [type, setType] = useState<MonitorType>(
    monitorTypes.find(({ id }) => id === monitor?.type)?.id ?? 'linux',
  )
  const [tls, setTls] = useState(wordOf(document['tls']) || 'disable')
  const [isEnabled, setEnabled] = useState(document['enabled'] !== false)
  const [thresholds, setThresholds] = useState(() => thresholdDrafts(document))
  const call = useCall(operations.setMonitor, [operations.listMonitors, operations.getMonitor])
  const typed = fieldsOf[type]
  const save = (values: FormData) => {
    const secret = textOf(values, 'secret')
    const fields = typed.map(({ name }) => {
      const text = textOf(values, `document.${name}`)
      return [name, name === 'port' ? typedNumber(text) : text] as const
    })
    call.mutate(
      {
        project_id: projectId,
        name: monitor?.name ?? textOf(values, 'name'),
        document: {
          type,
          ...Object.fromEntries(fields),
          ...(hasTls(type) ? { tls } : {}),
          enabled: isEnabled,
          agent_group: textOf(values, 'document.agent_group'),
          interval_seconds: typedNumber(textOf(values, 'document.interval_seconds')),
          counters: splitNames(textOf(values, 'document.counters')),
          thresholds: thresholds.map(thresholdOf),
        },
        ...(secret === '' ? {} : { secret }),
        ...(monitor === undefined ? {} : { if_version: monitor.version }),
      },
      {
        onSuccess: (answer) => {
          onClose()
          onSaved(answer.monitor)
        },
      },
    )
  }
  return (
    <Dialog
      title={monitor === undefined ? 'New monitor' : `Change ${monitor.name}`}
      isOpen
      wide
      onClose={onClose}
    >
      <Form error={call.error} fields={namesOf(typed, thresholds.length)} onSubmit={save}>
        <div className="grid gap-4 sm:grid-cols-2">
          {monitor === undefined ? <TextField label="Name" name="name" maxLength={80} isRequired /> : null}
          <Select
            label="What it monitors"
            name="document.type"
            choices={monitorTypes}
            value={type}
            onChange={(id) => setType(monitorTypes.find((each) => each.id === id)?.id ?? type)}
          />
          {typed.map(({ name, label, usual, hint }) => (
            <TextField
              key={`${type} ${name}`}
              label={label}
              name={`document.${name}`}
              defaultValue={(monitor?.type === type ? wordOf(document[name]) : '') || usual}
              {...(hint === undefined ? {} : { hint })}
            />
          ))}
          {hasTls(type) ? (
            <Select
              label="The connection is"
              name="document.tls"
              choices={tlsChoices}
              value={tls}
              onChange={setTls}
            />
          ) : null}
          {hasSecret(type) ? (
            <TextField
              label="Secret"
              name="secret"
              type="password"
              autoComplete="off"
              hint={
                monitor?.has_secret === true
                  ? 'There is one, which nobody can read. Empty: it stays. To another address it does not go.'
                  : 'Its password. Nobody can read it again.'
              }
            />
          ) : null}
          <TextField
            label="Agent group"
            name="document.agent_group"
            defaultValue={wordOf(document['agent_group']) || 'default'}
            hint="An agent of it collects: flamegate monitor --group."
            maxLength={60}
          />
          <TextField
            label="Seconds between two values"
            name="document.interval_seconds"
            defaultValue={wordOf(document['interval_seconds']) || '5'}
          />
        </div>
        <Checkbox isSelected={isEnabled} onChange={setEnabled}>
          Collect it in every load test of the project
        </Checkbox>
        <TextArea
          label="Counters"
          name="document.counters"
          lines={4}
          isCode
          defaultValue={namesIn(document['counters'])}
          hint="One per line; * stands for anything. Empty: the usual ones. A check shows which there are."
        />
        <div className="flex flex-col gap-3">
          {thresholds.map((threshold, index) => (
            <ThresholdFields
              key={threshold.key}
              index={index}
              threshold={threshold}
              onChange={(next) => setThresholds(thresholds.with(index, next))}
              onRemove={() => setThresholds(thresholds.toSpliced(index, 1))}
            />
          ))}
          <Button className="self-start" onPress={() => setThresholds([...thresholds, newThreshold()])}>
            <PlusIcon />
            Add a threshold
          </Button>
        </div>
        <FormButtons action="Save" isDisabled={call.isPending} onCancel={onClose} />
      </Form>
    </Dialog>
  )
}

function namesOf(typed: readonly { name: string }[], thresholdCount: number): string[] {
  const ofThreshold = [
    'name',
    'counters',
    'severity',
    'above',
    'below',
    'between.0',
    'between.1',
    'occurrences',
    'seconds',
  ]
  return [
    'name',
    'secret',
    ...['type', 'tls', 'agent_group', 'interval_seconds', 'counters', ...typed.map(({ name }) => name)].map(
      (name) => `document.${name}`,
    ),
    ...Array.from({ length: thresholdCount }, (_, index) =>
      ofThreshold.map((name) => `document.thresholds.${index}.${name}`),
    ).flat(),
  ]
}
