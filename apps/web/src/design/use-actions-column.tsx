import type { AnyOperation } from '@flamegate/client'
import type { AnswerOf, Operation, RawInputOf } from '@flamegate/contract'
import { useCall } from '../api.ts'
import { actionsColumn } from '../components/actions-column.tsx'
import { Button } from '../components/button.tsx'
import type { Column } from '../components/data-table.tsx'
import { say } from '../components/toasts.tsx'
import { problemWords } from '../problem-words.ts'
import { useRestore } from './use-restore.ts'

interface Row {
  id: string
  name: string
}

interface Ways<
  Of,
  Duplicate extends AnyOperation,
  Remove extends AnyOperation,
  Restore extends AnyOperation,
> {
  duplicate: Duplicate
  remove: Remove
  restore: Restore
  list: Pick<Operation, 'id'>
  /** The input of all three. */
  inputOf: (row: Of) => RawInputOf<Duplicate> & RawInputOf<Remove> & RawInputOf<Restore>
  /** What the copy is called. */
  copyIn: (answer: AnswerOf<Duplicate>) => string
}

/** A column with what can be done with each row of a list of designs: to copy and to delete it, or to bring it back. */
export function useActionsColumn<
  Of extends Row,
  Duplicate extends AnyOperation,
  Remove extends AnyOperation,
  Restore extends AnyOperation,
>(ways: Ways<Of, Duplicate, Remove, Restore>, areDeleted: boolean): Column<Of> {
  const { inputOf, copyIn } = ways
  const duplicating = useCall(ways.duplicate, [ways.list])
  const deleting = useCall(ways.remove, [ways.list])
  const restoring = useRestore(ways.restore, [ways.list])
  // As promises, for the table may be gone by then: that of the last row that was deleted is.
  const duplicate = (row: Of) =>
    void duplicating.mutateAsync(inputOf(row)).then(
      (answer) => say(`“${copyIn(answer)}” is there.`),
      (error: unknown) => say(`“${row.name}” cannot be duplicated: ${problemWords(error).detail}`),
    )
  const remove = (row: Of) =>
    void deleting.mutateAsync(inputOf(row)).then(
      () => restoring.offer(inputOf(row), `“${row.name}”`),
      (error: unknown) => say(`“${row.name}” cannot be deleted: ${problemWords(error).detail}`),
    )
  if (!areDeleted)
    return actionsColumn((row) => ({
      of: row.name,
      actions: [
        { label: 'Duplicate', onAction: () => duplicate(row) },
        { label: 'Delete', onAction: () => remove(row) },
      ],
    }))
  return {
    key: 'actions',
    title: 'Actions',
    align: 'right',
    render: (row) => (
      <Button
        aria-label={`Bring back ${row.name}`}
        isDisabled={restoring.isPending}
        onPress={() => restoring.bringBack(inputOf(row), `“${row.name}”`)}
      >
        Bring back
      </Button>
    ),
  }
}
