import { Link } from '@tanstack/react-router'
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components/Tabs'
import { CopyField } from '../components/copy-field.tsx'
import { Section } from '../components/section.tsx'
import { clientSteps } from '../components/client-steps.tsx'
import { mcpUrl } from '../connect-links.ts'
import { Page } from '../shell/page.tsx'
import { useWorkspace } from '../shell/workspace.ts'

const firstQuestions = [
  'Which of my Flamegate projects have new benchmark runs, and did anything get slower?',
  'Compare the latest run with its baseline and explain the worst regression from its flame graph.',
  'Run the benchmarks of this repository and submit the results to Flamegate.',
]

/** How an agent gets to Flamegate. */
export function ConnectPage() {
  const url = mcpUrl(window.location.origin)
  const workspace = useWorkspace()
  return (
    <Page
      title="Connect a client"
      lead="Flamegate is an MCP server: your agent reads benchmarks, compares runs and explores flame graphs for you."
    >
      <div className="max-w-3xl">
        <CopyField label="MCP URL" value={url} />
      </div>
      <Tabs defaultSelectedKey="claude-code" className="flex flex-col gap-4">
        <TabList
          aria-label="Client"
          className="-mx-4 flex overflow-x-auto border-b border-line px-3 sm:mx-0 sm:px-0"
        >
          {clientSteps.map(({ id, name }) => (
            <Tab
              key={id}
              id={id}
              className="-mb-px cursor-pointer border-b-2 border-transparent px-3 py-2 whitespace-nowrap text-muted data-focus-visible:outline-offset-[-2px] data-hovered:text-text data-selected:border-accent data-selected:font-medium data-selected:text-text"
            >
              {name}
            </Tab>
          ))}
        </TabList>
        {clientSteps.map(({ id, steps }) => (
          <TabPanel key={id} id={id} className="min-h-64 rounded-sm py-1">
            {steps(url, workspace?.id)}
          </TabPanel>
        ))}
      </Tabs>
      <p>
        Too many tools for your agent?{' '}
        <Link to="/connect/tools" className="text-accent underline underline-offset-2">
          Other addresses
        </Link>{' '}
        list fewer of them, or only what reads.
      </p>
      <p>
        A client does not connect?{' '}
        <Link to="/doctor" className="text-accent underline underline-offset-2">
          The connection doctor
        </Link>{' '}
        finds out why, also for other MCP servers.
      </p>
      <Section title="What to ask first">
        <ul className="flex max-w-3xl flex-col gap-2">
          {firstQuestions.map((question) => (
            <li key={question} className="rounded-lg border border-line bg-surface px-4 py-3">
              “{question}”
            </li>
          ))}
        </ul>
      </Section>
    </Page>
  )
}
