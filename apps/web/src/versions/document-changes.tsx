import type { AnswerOf, operations } from '@flamegate/contract'
import { ChangesLeftOut } from './changes-left-out.tsx'
import { FieldChanges } from './field-changes.tsx'

interface Props {
  changes: readonly NonNullable<AnswerOf<typeof operations.listDesignObjectVersions>['changes']>[number][]
  /** Of all of them, also those that are not told. */
  count: number
}

/** How two versions of a document differ, field by field. */
export function DocumentChanges({ changes, count }: Props) {
  if (count === 0) return <p className="text-muted">They are the same.</p>
  return (
    <div className="flex flex-col gap-2">
      <div className="rounded-lg border border-line bg-surface px-4 py-3">
        <FieldChanges fields={changes} />
      </div>
      <ChangesLeftOut shown={changes.length} count={count} />
    </div>
  )
}
