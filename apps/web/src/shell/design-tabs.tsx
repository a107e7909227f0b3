import { Link } from '@tanstack/react-router'
import { keepCurrentInSight } from '../components/keep-current-in-sight.ts'

const designPages = {
  'virtual-users': 'Virtual users',
  variables: 'Variables',
  'http-servers': 'HTTP servers',
  'correlation-rules': 'Correlation rules',
  files: 'Files',
  targets: 'Targets',
} as const

interface DesignTabsProps {
  projectId: string
  current: keyof typeof designPages
}

/** The pages of what virtual users of a project are made of. */
export function DesignTabs({ projectId, current }: DesignTabsProps) {
  return (
    <SmallTabs
      label="Load test design"
      tabs={Object.entries(designPages).map(([name, title]) => ({
        title,
        href: `/projects/${projectId}/${name}`,
        isCurrent: name === current,
      }))}
    />
  )
}

const virtualUserPages = {
  '': 'Editor',
  '/validations': 'Validations',
  '/correlations': 'Correlations',
  '/sanity': 'Design check',
  '/versions': 'Versions',
} as const

interface VirtualUserTabsProps {
  virtualUserId: string
  /** What stands behind the address of the virtual user. */
  current: keyof typeof virtualUserPages
}

/** The pages of one virtual user. */
export function VirtualUserTabs({ virtualUserId, current }: VirtualUserTabsProps) {
  return (
    <SmallTabs
      label="Virtual user"
      tabs={Object.entries(virtualUserPages).map(([end, title]) => ({
        title,
        href: `/virtual-users/${virtualUserId}${end}`,
        isCurrent: end === current,
      }))}
    />
  )
}

const scenarioPages = { '': 'Editor', '/versions': 'Versions' } as const

interface ScenarioTabsProps {
  scenarioId: string
  /** What stands behind the address of the scenario. */
  current: keyof typeof scenarioPages
}

/** The pages of one scenario. */
export function ScenarioTabs({ scenarioId, current }: ScenarioTabsProps) {
  return (
    <SmallTabs
      label="Scenario"
      tabs={Object.entries(scenarioPages).map(([end, title]) => ({
        title,
        href: `/scenarios/${scenarioId}${end}`,
        isCurrent: end === current,
      }))}
    />
  )
}

const reportPages = { '': 'Report', '/edit': 'Edit', '/versions': 'Versions' } as const

interface ReportTabsProps {
  reportId: string
  /** What stands behind the address of the report. */
  current: keyof typeof reportPages
  mayChange: boolean
}

/** The pages of one report of load tests. */
export function ReportTabs({ reportId, current, mayChange }: ReportTabsProps) {
  return (
    <SmallTabs
      label="Report"
      tabs={Object.entries(reportPages).flatMap(([end, title]) =>
        end === '/edit' && !mayChange
          ? []
          : [{ title, href: `/reports/${reportId}${end}`, isCurrent: end === current }],
      )}
    />
  )
}

const livePages = {
  'live-apps': 'Live apps',
  'live-recordings': 'Recordings',
  'mcp-servers': 'MCP servers',
} as const

interface LiveTabsProps {
  projectId: string
  current: keyof typeof livePages
}

/** The pages of running programs of a project, and of its MCP servers. */
export function LiveTabs({ projectId, current }: LiveTabsProps) {
  return (
    <SmallTabs
      label="Live metrics"
      tabs={Object.entries(livePages).map(([name, title]) => ({
        title,
        href: `/projects/${projectId}/${name}`,
        isCurrent: name === current,
      }))}
    />
  )
}

interface SmallTabsProps {
  label: string
  tabs: readonly { title: string; href: string; isCurrent: boolean }[]
}

function SmallTabs({ label, tabs }: SmallTabsProps) {
  return (
    <nav aria-label={label} className="-mx-4 sm:mx-0">
      <div ref={keepCurrentInSight} className="flex gap-1 overflow-x-auto px-4 py-0.5 sm:px-0.5">
        {tabs.map(({ title, href, isCurrent }) => (
          <Link
            key={href}
            to={href}
            // Addresses begin with those of others; which page it is, the page knows.
            activeOptions={{ exact: true, includeSearch: false }}
            aria-current={isCurrent ? 'page' : undefined}
            className="rounded-full px-3 py-1 whitespace-nowrap text-muted hover:bg-hover hover:text-text aria-[current]:bg-accent-soft aria-[current]:font-medium aria-[current]:text-accent"
          >
            {title}
          </Link>
        ))}
      </div>
    </nav>
  )
}
