import type { McpClient } from '@flamegate/connect'
import { Tab, TabList } from 'react-aria-components/Tabs'

/** All clients at a glance: wrapped, not scrolled, so that none hides. */
export function ClientChoice({ clients }: { clients: readonly McpClient[] }) {
  return (
    <TabList aria-label="Client" className="flex flex-wrap gap-2">
      {clients.map(({ id, name }) => (
        <Tab
          key={id}
          id={id}
          className="cursor-pointer rounded-md border border-line bg-surface px-3 py-1.5 whitespace-nowrap shadow-raised data-hovered:bg-hover data-selected:border-accent data-selected:bg-accent-soft data-selected:font-medium"
        >
          {name}
        </Tab>
      ))}
    </TabList>
  )
}
