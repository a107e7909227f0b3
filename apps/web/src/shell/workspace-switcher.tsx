import { useNavigate } from '@tanstack/react-router'
import { Button } from 'react-aria-components/Button'
import { Menu, MenuItem, MenuSection, MenuTrigger, Popover, Separator } from 'react-aria-components/Menu'
import { CheckIcon, ChevronDown } from '../components/icons.tsx'
import { popoverClass } from '../components/popover-class.ts'
import { menuItemClass } from '../components/menu-class.ts'
import { chooseWorkspace, useMe, useWorkspace } from './workspace.ts'

/** Shows which workspace the pages are about, and changes it. */
export function WorkspaceSwitcher() {
  const { workspaces } = useMe()
  const current = useWorkspace()
  const navigate = useNavigate()
  return (
    <MenuTrigger>
      <Button
        aria-label={`Workspace: ${current?.name ?? 'none'}`}
        className="flex h-9 min-w-0 items-center gap-1.5 rounded-md px-2.5 font-medium hover:bg-hover"
      >
        <span className="truncate">{current?.name ?? 'No workspace'}</span>
        <span className="text-muted">
          <ChevronDown />
        </span>
      </Button>
      <Popover placement="bottom start" className={`${popoverClass} min-w-60`}>
        <Menu aria-label="Workspaces" className="outline-none">
          <MenuSection
            selectionMode="single"
            selectedKeys={current === undefined ? [] : [current.id]}
            aria-label="Your workspaces"
          >
            {workspaces.map((workspace) => (
              <MenuItem
                key={workspace.id}
                id={workspace.id}
                textValue={workspace.name}
                className={menuItemClass}
                onAction={() => {
                  chooseWorkspace(workspace.id)
                  void navigate({ to: '/' })
                }}
              >
                <span className="min-w-0 grow">
                  <span className="block truncate">{workspace.name}</span>
                  <span className="block text-sm text-muted">{workspace.role}</span>
                </span>
                <span className="invisible text-accent group-data-selected:visible">
                  <CheckIcon />
                </span>
              </MenuItem>
            ))}
          </MenuSection>
          <Separator className="mx-2 my-1 border-t border-line" />
          <MenuItem id="all" className={menuItemClass} onAction={() => void navigate({ to: '/workspaces' })}>
            All workspaces
          </MenuItem>
        </Menu>
      </Popover>
    </MenuTrigger>
  )
}
