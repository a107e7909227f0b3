import { Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components/Menu'
import { Button, IconButton } from '../components/button.tsx'
import { MoreIcon, PlusIcon, RedoIcon, UndoIcon } from '../components/icons.tsx'
import { menuItemClass } from '../components/menu-class.ts'
import { popoverClass } from '../components/popover-class.ts'
import { ActionIcon } from './action-icon.tsx'
import { actionKinds } from './action-fields.ts'
import type { EditorCommand } from './editor-commands.ts'

interface Props {
  commands: readonly EditorCommand[]
  onAdd: (kind: string) => void
  /** What is undone and done again next, in words; undefined: nothing. */
  undoes: string | undefined
  redoes: string | undefined
  onUndo: () => void
  onRedo: () => void
}

/** What can be done with the actions. All of it has keys, too. */
export function EditorToolbar({ commands, onAdd, undoes, redoes, onUndo, onRedo }: Props) {
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
      <IconButton
        label={undoes === undefined ? 'Undo' : `Undo: ${undoes}`}
        isDisabled={undoes === undefined}
        onPress={onUndo}
      >
        <UndoIcon />
      </IconButton>
      <IconButton
        label={redoes === undefined ? 'Redo' : `Redo: ${redoes}`}
        isDisabled={redoes === undefined}
        onPress={onRedo}
      >
        <RedoIcon />
      </IconButton>
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
