import { type AnswerOf, operations, type PlanLimits } from '@flamegate/contract'
import { useState } from 'react'
import { useCall } from '../api.ts'
import { Dialog } from '../components/dialog.tsx'
import { FormButtons } from '../components/form-buttons.tsx'
import { Form, textOf } from '../components/form.tsx'
import { TextField } from '../components/text-field.tsx'
import { say } from '../components/toasts.tsx'
import { featuresOffIn, PlanFeatures } from './plan-features.tsx'
import { isHarmless, PlanConsequences } from './plan-consequences.tsx'
import {
  keptFields,
  limitFields,
  limitsOfTyped,
  planFields,
  typedLimit,
  type PlanField,
} from './plan-fields.ts'

interface Props {
  /** The plan to change, or the one whose limits a new one begins with. */
  start: AnswerOf<typeof operations.listPlans>['plans'][number]
  isNew: boolean
  onClose: () => void
}

const fields = ['plan_id', 'title', ...planFields.map(({ name }) => name)]

/** Changes a plan, or adds one. What that means for workspaces is asked first, and only what harms nobody is saved at once. */
export function PlanDialog({ start, isNew, onClose }: Props) {
  const [isWarned, setWarned] = useState(false)
  const trial = useCall(operations.setPlan, [])
  const saving = useCall(operations.setPlan, [operations.listPlans, operations.listTenants])
  const consequences = isWarned ? trial.data : undefined

  function submit(values: FormData) {
    const plan_id = isNew ? textOf(values, 'plan_id') : start.id
    const title = textOf(values, 'title')
    const limits = limitsOfTyped(start.limits, (name) => textOf(values, name))
    const input = { plan_id, title, limits: { ...limits, features_off: featuresOffIn(values) } }
    const save = () =>
      saving.mutate(input, {
        onSuccess: () => {
          say(`The plan ${title} is saved.`)
          onClose()
        },
      })
    if (isWarned) return save()
    trial.mutate(
      { ...input, dry_run: true },
      { onSuccess: (answer) => (isHarmless(answer) ? save() : setWarned(true)) },
    )
  }

  return (
    <Dialog title={isNew ? 'Add a plan' : `Change ${start.title}`} isOpen onClose={onClose} wide>
      {/* What was seen is not what is there any more. */}
      <div onChange={() => setWarned(false)}>
        <Form error={saving.error ?? trial.error} fields={fields} onSubmit={submit}>
          <p className="text-muted">
            {isNew ? 'Workspaces get it when you give it to them.' : whoHas(start.workspace_count)} An empty
            field is no limit.
          </p>
          <div className="grid gap-4 sm:grid-cols-3">
            <TextField label="Title" name="title" defaultValue={isNew ? '' : start.title} maxLength={60} />
            {isNew ? <TextField label="Id" name="plan_id" placeholder="small-team" maxLength={40} /> : null}
          </div>
          <Group title="May use" of={limitFields} limits={start.limits} />
          <Group title="Kept for" of={keptFields} limits={start.limits} />
          <PlanFeatures off={start.limits.features_off} />
          {consequences === undefined ? null : <PlanConsequences {...consequences} />}
          <FormButtons
            action={consequences === undefined ? 'Save' : 'Save all the same'}
            variant={consequences === undefined ? 'primary' : 'danger'}
            isDisabled={trial.isPending || saving.isPending}
            onCancel={onClose}
          />
        </Form>
      </div>
    </Dialog>
  )
}

interface GroupProps {
  title: string
  of: readonly PlanField[]
  limits: PlanLimits
}

function Group({ title, of, limits }: GroupProps) {
  return (
    <fieldset className="flex min-w-0 flex-col gap-3">
      <legend className="mb-3 font-semibold">{title}</legend>
      <div className="grid gap-4 sm:grid-cols-3">
        {of.map((field) => (
          <TextField
            key={field.name}
            label={field.unit === '' ? field.label : `${field.label}, ${field.unit}`}
            name={field.name}
            inputMode="decimal"
            placeholder={field.none}
            defaultValue={typedLimit(field, limits)}
          />
        ))}
      </div>
    </fieldset>
  )
}

function whoHas(count: number): string {
  if (count === 0) return 'No workspace has it.'
  if (count === 1) return 'One workspace has it, and goes by it within 10 seconds.'
  return `${count.toLocaleString()} workspaces have it, and go by it within 10 seconds.`
}
