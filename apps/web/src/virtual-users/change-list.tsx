import type { AnswerOf, operations } from '@flamegate/contract'
import { Link } from '@tanstack/react-router'
import { Badge, type Tone } from '../components/badge.tsx'
import { FieldChanges } from '../versions/field-changes.tsx'
import { ActionIcon } from './action-icon.tsx'
import { actionKinds } from './action-fields.ts'
import { ChangesLeftOut } from '../versions/changes-left-out.tsx'

type Change = NonNullable<AnswerOf<typeof operations.listVirtualUserVersions>['changes']>[number]

const tones: Record<Change['change'], Tone> = {
  added: 'better',
  removed: 'worse',
  moved: 'plain',
  changed: 'accent',
}

interface Props {
  virtualUserId: string
  changes: readonly Change[]
  /** How many there are in all. */
  count: number
}

/** How two versions of a virtual user differ: action by action, what each field was and is. */
export function ChangeList({ virtualUserId, changes, count }: Props) {
  if (count === 0) return <p className="text-muted">They are the same.</p>
  return (
    <div className="flex flex-col gap-2">
      <ul className="flex flex-col divide-y divide-line rounded-lg border border-line bg-surface">
        {changes.map((each) => (
          <li
            key={`${each.change} ${each.action_id} ${each.pointer}`}
            className="flex flex-col gap-2 px-4 py-3"
          >
            <div className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
              <Badge tone={tones[each.change]}>{each.change}</Badge>
              <ChangedThing virtualUserId={virtualUserId} change={each} />
            </div>
            {each.fields.length === 0 ? null : <FieldChanges fields={each.fields} />}
          </li>
        ))}
      </ul>
      <ChangesLeftOut shown={changes.length} count={count} />
    </div>
  )
}

function ChangedThing({ virtualUserId, change }: { virtualUserId: string; change: Change }) {
  const { type, action_id: actionId, name } = change
  if (type === null || actionId === null) return <span className="font-medium">The virtual user itself</span>
  const words = name || actionKinds[type]?.label || type
  return (
    <>
      <span className="text-muted">
        <ActionIcon type={type} />
      </span>
      {change.change === 'removed' ? (
        <span className="min-w-0 truncate font-medium">{words}</span>
      ) : (
        <Link
          to="/virtual-users/$virtualUserId"
          params={{ virtualUserId }}
          search={{ action: actionId }}
          className="min-w-0 truncate font-medium hover:underline"
        >
          {words}
        </Link>
      )}
    </>
  )
}
