import { type AnswerOf, operations } from '@flamegate/contract'
import { useState } from 'react'
import { PlanDialog } from '../administration/plan-dialog.tsx'
import { keptFields, limitFields, limitInWords, type PlanField } from '../administration/plan-fields.ts'
import { useAnswer } from '../api.ts'
import { Answer } from '../components/answer.tsx'
import { Button } from '../components/button.tsx'
import { Facts } from '../components/facts.tsx'
import { Section } from '../components/section.tsx'
import { SkeletonTable } from '../components/skeleton.tsx'
import { AdminPage } from '../shell/admin-page.tsx'
import { toolsetTitle } from '../toolset-title.ts'

type Plan = AnswerOf<typeof operations.listPlans>['plans'][number]

/** What workspaces may use, and how long what they store is kept. For administrators of the installation. */
export function AdminPlansPage() {
  return (
    <AdminPage title="Plans" lead="What workspaces may use, and how long what they store is kept">
      <Plans />
    </AdminPage>
  )
}

function Plans() {
  const query = useAnswer(operations.listPlans, {})
  const [open, setOpen] = useState<{ start: Plan; isNew: boolean }>()
  return (
    <Answer query={query} skeleton={<SkeletonTable rows={8} />}>
      {({ plans }) => {
        const [first] = plans
        return (
          <div className="flex flex-col gap-8">
            {plans.map((plan) => (
              <PlanSection
                key={plan.id}
                plan={plan}
                onChange={() => setOpen({ start: plan, isNew: false })}
              />
            ))}
            {first === undefined ? null : (
              <div>
                <Button onPress={() => setOpen({ start: first, isNew: true })}>Add a plan</Button>
              </div>
            )}
            {open === undefined ? null : <PlanDialog {...open} onClose={() => setOpen(undefined)} />}
          </div>
        )
      }}
    </Answer>
  )
}

function PlanSection({ plan, onChange }: { plan: Plan; onChange: () => void }) {
  const { id, title, limits, workspace_count: count } = plan
  const inWords = (fields: readonly PlanField[], prefix = '') =>
    fields.map((field) => [`${prefix}${field.label}`, limitInWords(field, limits)] as const)
  return (
    <Section
      title={title}
      aside={
        <span className="flex items-center gap-4">
          <span className="text-muted">
            <code>{id}</code>, {inWorkspaces(count)}
          </span>
          <Button aria-label={`Change ${title}`} onPress={onChange}>
            Change
          </Button>
        </span>
      }
    >
      <div className="rounded-lg border border-line bg-surface p-4">
        <Facts
          entries={Object.fromEntries([
            ...inWords(limitFields),
            ...inWords(keptFields, 'Kept: '),
            ['Does without', limits.features_off.map(toolsetTitle).join(', ') || 'nothing'],
          ])}
        />
      </div>
    </Section>
  )
}

function inWorkspaces(count: number): string {
  if (count === 0) return 'no workspace'
  return count === 1 ? 'one workspace' : `${count.toLocaleString()} workspaces`
}
