import type { AnswerOf, operations } from '@flamegate/contract'
import { Badge, type Tone } from '../components/badge.tsx'
import { ChangesLeftOut } from '../versions/changes-left-out.tsx'
import { FieldChanges } from '../versions/field-changes.tsx'

type Change = NonNullable<AnswerOf<typeof operations.listScenarioVersions>['changes']>[number]

const tones: Record<Change['change'], Tone> = { added: 'better', removed: 'worse', changed: 'accent' }

/** How two versions of a scenario differ: profile by profile, what each field was and is. */
export function ScenarioChanges({ changes, count }: { changes: readonly Change[]; count: number }) {
  if (count === 0) return <p className="text-muted">They are the same.</p>
  return (
    <div className="flex flex-col gap-2">
      <ul className="flex flex-col divide-y divide-line rounded-lg border border-line bg-surface">
        {changes.map((each) => (
          <li key={`${each.change} ${each.profile_id}`} className="flex flex-col gap-2 px-4 py-3">
            <div className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
              <Badge tone={tones[each.change]}>{each.change}</Badge>
              <span className="min-w-0 truncate font-medium">
                {each.profile_id === null ? 'The scenario itself' : each.name}
              </span>
            </div>
            {each.fields.length === 0 ? null : <FieldChanges fields={each.fields} />}
          </li>
        ))}
      </ul>
      <ChangesLeftOut shown={changes.length} count={count} />
    </div>
  )
}
