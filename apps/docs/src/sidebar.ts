import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DefaultTheme } from 'vitepress'

/** A part of the sidebar: pages by their path in `docs/`, in this order, without `.md`; `folder/*` is all others of a folder, `*` all that are left. */
interface Part {
  title: string
  pages: readonly string[]
  isCollapsed?: boolean
}

const parts: readonly Part[] = [
  { title: 'Concepts', pages: ['concepts/*', 'glossary'] },
  { title: 'Tutorials', pages: ['tutorials/*'] },
  {
    title: 'Benchmarks and profiles',
    pages: ['ci', 'profiling', 'continuous-profiling', 'profiles', 'webhooks'],
  },
  {
    title: 'Load tests',
    pages: [
      'virtual-users',
      'targets',
      'scenarios',
      'load-tests',
      'bench-reports',
      'result-files',
      'other-engines',
      'monitors',
      'sla-and-notifications',
    ],
  },
  { title: 'Running programs', pages: ['profiler', 'live-metrics', 'live-questions', 'live-alerts'] },
  { title: 'MCP servers', pages: ['mcp-profiler'] },
  { title: 'Connect a client', pages: ['connect/*', 'agent-plugins', 'clients', 'mcp-addresses'] },
  { title: 'Reference', pages: ['reference/*', 'conformance'] },
  { title: 'Run and understand', pages: ['self-hosting', 'architecture'] },
  { title: 'Decisions', pages: ['decisions/README', 'decisions/*'], isCollapsed: true },
  { title: 'Measured', pages: ['benchmarks/*'], isCollapsed: true },
  { title: 'More', pages: ['*'] },
]

/**
 * The sidebar, with the headings of the pages as its texts.
 * @throws Error when a part names a page that is not there.
 */
export function sidebarOf(folder: string): DefaultTheme.SidebarItem[] {
  const pages = globSync('**/*.md', { cwd: folder })
    .map((path) => path.slice(0, -'.md'.length))
    .toSorted()
  const left = new Set(pages.filter((page) => page !== 'README'))
  const take = (page: string): string => {
    if (!left.delete(page))
      throw new Error(`The sidebar names ${page}, which is not in ${folder} or named twice`)
    return page
  }
  const sidebar = parts.map(({ title, pages: named, isCollapsed }) => ({
    text: title,
    collapsed: isCollapsed,
    items: named
      .flatMap((name) => {
        if (!name.endsWith('*')) return [take(name)]
        return [...left].filter((page) => page.startsWith(name.slice(0, -1))).map(take)
      })
      .map((page) => ({
        text: titleOf(join(folder, `${page}.md`)),
        link: `/${page.replace(/README$/, '')}`,
      })),
  }))
  return sidebar.filter(({ items }) => items.length > 0)
}

function titleOf(path: string): string {
  const [, title] = /^# (.+)$/m.exec(readFileSync(path, 'utf8')) ?? []
  if (title === undefined) throw new Error(`${path} has no heading`)
  return title
}
