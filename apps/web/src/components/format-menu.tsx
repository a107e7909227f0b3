import type { ReactNode } from 'react'
import { Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components/Menu'
import { Button } from './button.tsx'
import { ChevronDown } from './icons.tsx'
import { menuItemClass } from './menu-class.ts'
import { popoverClass } from './popover-class.ts'

/** The formats that a page can be exported in, and `children`, items of other kinds, below them. */
export function FormatMenu<Format extends string>(props: {
  formats: readonly { format: Format; label: string; note: string }[]
  isPending: boolean
  onExport: (format: Format) => void
  children?: ReactNode
}) {
  const { formats, isPending, onExport, children } = props
  return (
    <MenuTrigger>
      <Button isDisabled={isPending}>
        {isPending ? 'Exporting…' : 'Export'}
        <ChevronDown />
      </Button>
      <Popover placement="bottom end" className={`${popoverClass} min-w-64`}>
        <Menu aria-label="Export" className="outline-none">
          {formats.map(({ format, label, note }) => (
            <MenuItem
              key={format}
              id={format}
              textValue={label}
              onAction={() => onExport(format)}
              className={menuItemClass}
            >
              <span className="grow">{label}</span>
              <span className="text-sm text-muted">{note}</span>
            </MenuItem>
          ))}
          {children}
        </Menu>
      </Popover>
    </MenuTrigger>
  )
}
