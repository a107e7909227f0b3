import { operations, type AnswerOf, type RawInputOf } from '@flamegate/contract'
import { useEffect } from 'react'
import { useCall } from '../api.ts'
import { Button } from '../components/button.tsx'
import { DataTable } from '../components/data-table.tsx'
import { Dialog } from '../components/dialog.tsx'
import { ProblemNote } from '../components/problem-note.tsx'
import { SkeletonTable } from '../components/skeleton.tsx'
import { Warnings } from '../components/warnings.tsx'
import { outdatedByCorrelating } from './outdated.ts'

export type Applied = AnswerOf<typeof operations.applyCorrelationsToVirtualUser>

interface Props {
  /** What is to be applied. */
  input: RawInputOf<typeof operations.applyCorrelationsToVirtualUser>
  onApplied: (applied: Applied) => void
  onClose: () => void
}

/** Shows what applying would change, and applies it when that is wanted. */
export function ApplyDialog({ input, onApplied, onClose }: Props) {
  const trial = useCall(operations.applyCorrelationsToVirtualUser, [])
  const call = useCall(operations.applyCorrelationsToVirtualUser, outdatedByCorrelating)
  const { mutate: tryOut } = trial
  useEffect(() => tryOut({ ...input, dry_run: true }), [tryOut, input])
  const found = trial.data
  return (
    <Dialog title="What would change" isOpen onClose={onClose} wide>
      {trial.error === null ? null : <ProblemNote error={trial.error} />}
      {call.error === null ? null : <ProblemNote error={call.error} />}
      {found === undefined ? (
        trial.error === null ? (
          <SkeletonTable rows={3} />
        ) : null
      ) : (
        <>
          <Warnings warnings={found.notes} />
          <DataTable
            label="What would change"
            rows={found.applied}
            rowKey={({ variable, extractor_action_id }) => `${variable} ${extractor_action_id}`}
            whenEmpty="Nothing: no such value is sent as it was recorded."
            columns={[
              {
                key: 'variable',
                title: 'Variable',
                render: ({ variable }) => <code className="whitespace-nowrap">{`\${${variable}}`}</code>,
              },
              {
                key: 'value',
                title: 'In place of',
                grow: true,
                render: ({ recorded_value }) => (
                  <code className="block truncate" title={recorded_value}>
                    {recorded_value}
                  </code>
                ),
              },
              { key: 'places', title: 'Places', align: 'right', render: ({ replaced }) => replaced },
              {
                key: 'from',
                title: 'Taken from',
                hideBelow: 'sm',
                render: ({ extractor_action_id, extractor_action_name: name }) => (
                  <span className="line-clamp-2 max-w-72 break-words">{name || extractor_action_id}</span>
                ),
              },
            ]}
          />
        </>
      )}
      <div className="flex flex-wrap justify-end gap-2">
        <Button onPress={onClose}>Cancel</Button>
        <Button
          variant="primary"
          isDisabled={found === undefined || found.applied.length === 0 || call.isPending}
          onPress={() =>
            // Of the version that was shown, and no other.
            call.mutate({ ...input, if_version: found?.previous_version }, { onSuccess: onApplied })
          }
        >
          Apply
        </Button>
      </div>
    </Dialog>
  )
}
