import { featureNames, toolsets, type Feature } from '@flamegate/contract'
import { CheckboxGroup, Label } from 'react-aria-components/CheckboxGroup'
import { Checkbox } from '../components/checkbox.tsx'
import { toolsetTitle } from '../toolset-title.ts'

const field = 'features'

/** What of the product a plan has, to tick. `featuresOffIn` reads it. */
export function PlanFeatures({ off }: { off: readonly Feature[] }) {
  return (
    <CheckboxGroup
      name={field}
      defaultValue={featureNames.filter((name) => !off.includes(name))}
      className="flex min-w-0 flex-col gap-3"
    >
      <Label className="font-semibold">Has</Label>
      <p className="text-muted">
        Of what is not ticked nothing is made, changed or run any more; what there is can be read, stopped and
        deleted, and a run under way comes to its end.
      </p>
      <div className="grid gap-3 sm:grid-cols-2">
        {featureNames.map((name) => (
          <Checkbox key={name} value={name}>
            <span className="min-w-0 break-words">
              {toolsetTitle(name)} <span className="text-sm text-muted">{toolsets[name]}</span>
            </span>
          </Checkbox>
        ))}
      </div>
    </CheckboxGroup>
  )
}

/** Those that were not ticked. */
export function featuresOffIn(values: FormData): Feature[] {
  const ticked = values.getAll(field)
  return featureNames.filter((name) => !ticked.includes(name))
}
