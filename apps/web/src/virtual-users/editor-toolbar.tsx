import { Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components/Menu'
import { Button, IconButton } from '../components/button.tsx'
import { MoreIcon, PlusIcon } from '../components/icons.tsx'
import { menuItemClass } from '../components/menu-class.ts'
import { popoverClass } from '../components/popover-class.ts'
import { UndoButtons } from '../documents/undo-buttons.tsx'
import type { DocumentDraft } from '../documents/use-document-draft.ts'
import { ActionIcon } from './action-icon.tsx'
import { actionKinds } from './action-fields.ts'
import type { EditorCommand } from './editor-commands.ts'

interface Props {
  commands: readonly EditorCommand[]
  onAdd: (kind: string) => void
  edited: DocumentDraft
}

/** What can be done with the actions. All of it has keys, too. */
export function EditorToolbar({ commands, onAdd, edited }: Props) {
  const possible = commands.filter(({ isPossible }) => isPossible)
  return (
    <div className="flex items-center gap-1">
      <MenuTrigger>
        <Button>
          <PlusIcon />
          Add
        </Button>
        <Popover placement="bottom start" className={`${popoverClass} min-w-56`}>
          <Menu aria-label="Add" className="outline-none" onAction={(kind) => onAdd(String(kind))}>
            {Object.entries(actionKinds).map(([kind, { label }]) => (
              <MenuItem key={kind} id={kind} textValue={label} className={menuItemClass}>
                <ActionIcon type={kind.split(':')[0] ?? kind} />
                {label}
              </MenuItem>
            ))}
          </Menu>
        </Popover>
      </MenuTrigger>
      <UndoButtons edited={edited} />
      <MenuTrigger>
        <IconButton label="What to do with the chosen actions" isDisabled={possible.length === 0}>
          <MoreIcon />
        </IconButton>
        <Popover placement="bottom start" className={`${popoverClass} min-w-60`}>
          <Menu aria-label="What to do with the chosen actions" className="outline-none">
            {possible.map(({ id, label, keys, run }) => (
              <MenuItem key={id} id={id} textValue={label} onAction={run} className={menuItemClass}>
                <span className="grow">{label}</span>
                <kbd className="font-sans text-sm text-muted">{keys}</kbd>
              </MenuItem>
            ))}
          </Menu>
        </Popover>
      </MenuTrigger>
    </div>
  )
}
