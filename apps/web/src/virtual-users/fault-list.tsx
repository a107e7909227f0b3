import { Button } from '../components/button.tsx'
import { actionAt, type ActionTree } from './action-tree.ts'
import { actionTitle } from './action-words.ts'
import { NotSavedNote } from '../documents/not-saved-note.tsx'

interface Props {
  /** By JSON pointer. */
  faults: Readonly<Record<string, string>>
  tree: ActionTree
  onShow: (key: string) => void
}

/** What saving was refused for, with the way to each place. */
export function FaultList({ faults, tree, onShow }: Props) {
  return (
    <NotSavedNote>
      {Object.entries(faults).map(([pointer, message]) => {
        const node = actionAt(tree, pointer)
        const field = pointer.slice(node?.pointer.length ?? 0)
        return (
          <li key={pointer} className="flex flex-wrap items-center gap-x-2">
            {node === undefined ? null : (
              <Button variant="quiet" className="h-7! px-2! underline" onPress={() => onShow(node.key)}>
                {actionTitle(node.action)}
              </Button>
            )}
            <span className="min-w-0 break-words">
              {field === '' ? null : <code className="break-all">{field}</code>} {message}
            </span>
          </li>
        )
      })}
    </NotSavedNote>
  )
}
