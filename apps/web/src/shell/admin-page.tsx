import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { EmptyState } from '../components/empty-state.tsx'
import { Page, tabClass, Tabs } from './page.tsx'
import { useMe } from './workspace.ts'

interface Props {
  title: string
  lead: string
  actions?: ReactNode
  children: ReactNode
}

/** A page for administrators of the installation, with the ways to the others; nobody else sees what is on it. */
export function AdminPage({ children, actions, ...props }: Props) {
  if (!useMe().installation_admin) {
    return (
      <Page {...props}>
        <EmptyState title="This page is for administrators of the installation">
          <p>Whoever runs this server names the first ones in FLAMEGATE_ADMINS. Those make others.</p>
        </EmptyState>
      </Page>
    )
  }
  return (
    <Page {...props} actions={actions} navigation={<AdminTabs />}>
      {children}
    </Page>
  )
}

function AdminTabs() {
  return (
    <Tabs label="Administration">
      <Link to="/admin/workspaces" className={tabClass}>
        Workspaces
      </Link>
      <Link to="/admin/people" className={tabClass}>
        People
      </Link>
      <Link to="/admin/plans" className={tabClass}>
        Plans
      </Link>
      <Link to="/admin/usage" className={tabClass}>
        Usage
      </Link>
      <Link to="/admin/jobs" className={tabClass}>
        Jobs
      </Link>
      <Link to="/oauth-clients" className={tabClass}>
        OAuth clients
      </Link>
      <Link to="/security-events" className={tabClass}>
        Security events
      </Link>
    </Tabs>
  )
}
