import { useNavigate } from '@tanstack/react-router'
import { Button } from 'react-aria-components/Button'
import {
  Header,
  Menu,
  MenuItem,
  MenuSection,
  MenuTrigger,
  Popover,
  Separator,
} from 'react-aria-components/Menu'
import { logOut } from '../accounts.ts'
import { CheckIcon } from '../components/icons.tsx'
import { popoverClass } from '../components/popover-class.ts'
import { say } from '../components/toasts.tsx'
import { menuItemClass } from '../components/menu-class.ts'
import { setTheme, themes, useTheme } from './theme.ts'
import { useMe } from './workspace.ts'

const themeNames = { system: 'System theme', light: 'Light', dark: 'Dark' } as const

/** Who is logged in, the theme, the account, connected apps and the way out. */
export function AccountMenu() {
  const { user, installation_admin: isInstallationAdmin } = useMe()
  const theme = useTheme()
  const navigate = useNavigate()
  return (
    <MenuTrigger>
      <Button
        // With what is seen in it, for whoever calls buttons by their words (WCAG 2.5.3).
        aria-label={`${initials(user.name)}, account of ${user.name}`}
        className="flex size-8 shrink-0 items-center justify-center rounded-full bg-accent-soft text-sm font-semibold text-accent uppercase"
      >
        {initials(user.name)}
      </Button>
      <Popover placement="bottom end" className={`${popoverClass} w-64`}>
        <div className="px-2.5 pt-1.5 pb-2">
          <p className="truncate font-medium">{user.name}</p>
          <p className="truncate text-sm text-muted">{user.email}</p>
        </div>
        <Menu aria-label="Account" className="border-t border-line pt-1 outline-none">
          <MenuSection
            selectionMode="single"
            disallowEmptySelection
            selectedKeys={[theme]}
            onSelectionChange={(keys) => {
              const chosen = themes.find((name) => keys !== 'all' && keys.has(name))
              if (chosen !== undefined) setTheme(chosen)
            }}
          >
            <Header className="px-2.5 py-1 text-sm text-muted">Theme</Header>
            {themes.map((name) => (
              <MenuItem key={name} id={name} className={menuItemClass}>
                <span className="grow">{themeNames[name]}</span>
                <span className="invisible text-accent group-data-selected:visible">
                  <CheckIcon />
                </span>
              </MenuItem>
            ))}
          </MenuSection>
          <Separator className="mx-2 my-1 border-t border-line" />
          <MenuItem
            id="account"
            className={menuItemClass}
            onAction={() => void navigate({ to: '/settings/account' })}
          >
            Account
          </MenuItem>
          <MenuItem
            id="apps"
            className={menuItemClass}
            onAction={() => void navigate({ to: '/connected-apps' })}
          >
            Connected apps
          </MenuItem>
          {isInstallationAdmin ? (
            <MenuItem
              id="administration"
              className={menuItemClass}
              onAction={() => void navigate({ to: '/admin/workspaces' })}
            >
              Administration
            </MenuItem>
          ) : null}
          {isInstallationAdmin ? (
            <MenuItem
              id="oauth-clients"
              className={menuItemClass}
              onAction={() => void navigate({ to: '/oauth-clients' })}
            >
              OAuth clients
            </MenuItem>
          ) : null}
          {isInstallationAdmin ? (
            <MenuItem
              id="security-events"
              className={menuItemClass}
              onAction={() => void navigate({ to: '/security-events' })}
            >
              Security events
            </MenuItem>
          ) : null}
          <MenuItem id="docs" href="/docs/" className={menuItemClass}>
            Documentation
          </MenuItem>
          <MenuItem id="log-out" className={menuItemClass} onAction={() => void leave()}>
            Log out
          </MenuItem>
        </Menu>
      </Popover>
    </MenuTrigger>
  )
}

async function leave() {
  try {
    await logOut()
  } catch {
    say('You could not be logged out. Check your connection and try again.')
    return
  }
  // A whole new page, so that nothing of this person stays in memory.
  window.location.assign('/log-in')
}

function initials(name: string): string {
  const words = name.trim().split(/\s+/)
  return [words[0], words.length > 1 ? words.at(-1) : undefined]
    .map((word) => Array.from(word ?? '')[0] ?? '')
    .join('')
}
