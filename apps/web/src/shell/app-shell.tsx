import { Link, Outlet, useRouterState } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { buttonClass } from '../components/button.tsx'
import { Mark, PlugIcon } from '../components/icons.tsx'
import { AccountMenu } from './account-menu.tsx'
import { SiteSearch } from './site-search.tsx'
import { WorkspaceSwitcher } from './workspace-switcher.tsx'

/** The frame of every page for people who are logged in. */
export function AppShell() {
  const main = useFocusOnNavigation()
  return (
    <>
      <a
        href="#main"
        className="printed:hidden fixed top-2 left-2 z-50 -translate-y-16 rounded-md bg-accent-fill px-4 py-2 text-on-accent focus:translate-y-0"
      >
        Skip to content
      </a>
      <header className="printed:hidden border-b border-line bg-surface">
        <div className="flex h-14 items-center gap-1 px-4 sm:px-6">
          <Link
            to="/"
            aria-label="Flamegate: home"
            className="flex items-center gap-2 rounded-sm font-semibold"
          >
            <Mark />
            <span className="hidden sm:inline">Flamegate</span>
          </Link>
          <span aria-hidden="true" className="ml-2 text-line-strong">
            /
          </span>
          <WorkspaceSwitcher />
          <span className="grow" />
          <SiteSearch />
          <Link
            to="/connect"
            aria-label="Connect a client"
            className={buttonClass('quiet', 'mr-2 max-sm:px-2.5')}
          >
            <PlugIcon />
            <span className="hidden sm:inline">Connect a client</span>
          </Link>
          <AccountMenu />
        </div>
      </header>
      <main id="main" ref={main} tabIndex={-1} className="outline-none">
        <Outlet />
      </main>
    </>
  )
}

/**
 * Moves focus to the content of a new page, as a browser does when it loads one: once it is shown, because the dialog that led to it
 * keeps the focus for as long as it is there.
 */
function useFocusOnNavigation() {
  const main = useRef<HTMLElement>(null)
  const pathname = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname })
  const shown = useRef(pathname)
  useEffect(() => {
    if (shown.current === pathname) return
    const isFirst = shown.current === undefined
    shown.current = pathname
    if (!isFirst) main.current?.focus({ preventScroll: true })
  }, [pathname])
  return main
}
