import { Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components/Menu'
import { menuItemClass } from './menu-class.ts'
import { IconButton } from './button.tsx'
import { MoreIcon } from './icons.tsx'
import { popoverClass } from './popover-class.ts'

interface Props {
  /** What the actions are about: part of the accessible name. */
  of: string
  actions: readonly { label: string; onAction: () => void }[]
}

/** What is seldom needed, such as deleting, behind a button with three dots. */
export function MoreActions({ of, actions }: Props) {
  return (
    <MenuTrigger>
      <IconButton label={`More actions: ${of}`} variant="secondary">
        <MoreIcon />
      </IconButton>
      <Popover placement="bottom end" className={`${popoverClass} min-w-40`}>
        <Menu aria-label={`More actions: ${of}`} className="outline-none">
          {actions.map(({ label, onAction }) => (
            <MenuItem key={label} id={label} onAction={onAction} className={menuItemClass}>
              {label}
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  )
}
