import { type AnswerOf, operations } from '@flamegate/contract'
import { useState } from 'react'
import { useAnswer, useCall } from '../api.ts'
import { Button } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { ProblemNote } from '../components/problem-note.tsx'
import { Select } from '../components/select.tsx'
import { say } from '../components/toasts.tsx'
import { isHarmless, PlanConsequences } from './plan-consequences.tsx'

interface Props {
  tenant: AnswerOf<typeof operations.listTenants>['tenants'][number]
  onClose: () => void
}

/** Gives a workspace a plan. Where it uses more than that has, or keeps what is older, that is shown before. */
export function ChoosePlan({ tenant, onClose }: Props) {
  const [plan, setPlan] = useState(tenant.plan)
  const [warnedOf, setWarnedOf] = useState<string>()
  const { data } = useAnswer(operations.listPlans, {})
  const trial = useCall(operations.setTenantPlan, [])
  const saving = useCall(operations.setTenantPlan, [operations.listTenants, operations.listPlans])
  const plans = data?.plans ?? []
  const titleOf = (wanted: string) => plans.find(({ id }) => id === wanted)?.title ?? wanted
  const error = saving.error ?? trial.error
  const consequences = warnedOf === plan ? trial.data : undefined
  const input = { workspace_id: tenant.id, plan_id: plan }
  const save = () =>
    saving.mutate(input, {
      onSuccess: () => {
        say(`${tenant.name} has the plan ${titleOf(plan)}.`)
        onClose()
      },
    })
  const look = () =>
    trial.mutate(
      { ...input, dry_run: true },
      { onSuccess: (answer) => (isHarmless(answer) ? save() : setWarnedOf(plan)) },
    )
  return (
    <Dialog title={`Plan of ${tenant.name}`} isOpen onClose={onClose}>
      <p className="text-muted">
        Its limits hold within 10 seconds. What is older than the plan keeps it goes with the next sweep.
      </p>
      {error === null ? null : <ProblemNote error={error} />}
      <Select
        label="Plan"
        choices={plans.map(({ id, title }) => ({ id, label: title }))}
        value={plan}
        onChange={setPlan}
      />
      {consequences === undefined ? null : <PlanConsequences {...consequences} />}
      <div className="flex justify-end gap-2">
        <Button onPress={onClose}>Cancel</Button>
        <Button
          variant={consequences === undefined ? 'primary' : 'danger'}
          isDisabled={trial.isPending || saving.isPending}
          onPress={consequences === undefined ? look : save}
        >
          {consequences === undefined ? 'Save' : 'Save all the same'}
        </Button>
      </div>
    </Dialog>
  )
}
