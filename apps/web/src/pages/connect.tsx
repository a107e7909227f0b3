import { clients } from '@flamegate/connect'
import { getRouteApi, Link } from '@tanstack/react-router'
import { TabPanel, Tabs } from 'react-aria-components/Tabs'
import { ClientChoice } from '../connect/client-choice.tsx'
import { ClientGuide } from '../connect/client-guide.tsx'
import { Page } from '../shell/page.tsx'
import { useWorkspace } from '../shell/workspace.ts'

const route = getRouteApi('/app/connect')

/** How an agent gets to Flamegate. */
export function ConnectPage() {
  const { client } = route.useSearch()
  const navigate = route.useNavigate()
  const workspace = useWorkspace()
  const site = { origin: window.location.origin }
  const all = clients(site)
  const chosen = all.find(({ id }) => id === client)?.id ?? 'claude-code'
  return (
    <Page
      title="Connect a client"
      lead="Flamegate is an MCP server: your agent reads benchmarks, profiles and load tests, compares them, and starts new ones for you. Which one is yours?"
    >
      <Tabs
        selectedKey={chosen}
        onSelectionChange={(key) => void navigate({ search: { client: String(key) }, replace: true })}
        className="flex flex-col gap-6"
      >
        <ClientChoice clients={all} />
        {all.map((each) => (
          <TabPanel key={each.id} id={each.id} className="rounded-sm">
            <ClientGuide client={each} site={site} workspaceId={workspace?.id} />
          </TabPanel>
        ))}
      </Tabs>
      <ul className="flex max-w-3xl flex-col gap-1.5 border-t border-line pt-4">
        <li>
          Too many tools for your agent?{' '}
          <Link to="/connect/tools" className="text-link">
            Tool addresses
          </Link>{' '}
          list fewer of them, or only what reads.
        </li>
        <li>
          A client does not connect?{' '}
          <Link to="/doctor" className="text-link">
            The connection doctor
          </Link>{' '}
          finds out why, also for other MCP servers.
        </li>
        <li>
          Which clients may act for you?{' '}
          <Link to="/connected-apps" className="text-link">
            Connected apps
          </Link>{' '}
          lists them and ends their access.
        </li>
      </ul>
    </Page>
  )
}
