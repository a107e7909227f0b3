import type { Block, McpClient } from './client.ts'
import { fileHosts, guidesByTool, skillBlocks } from './common.ts'
import type { Site } from './site.ts'

/** A part of a client's page that is not needed to begin. */
export interface Section {
  title: string
  blocks: readonly Block[]
}

/** What can be read about a client once it is connected, or where the quickest way is not the one. */
export function sectionsOf(client: McpClient, site: Site): Section[] {
  const { skills, otherWays = [] } = client
  const hasGuideFile = client.guide.some((block) => typeof block !== 'string')
  return [
    { title: 'Other ways to add it', blocks: otherWays },
    { title: 'Tools', blocks: [client.tools] },
    {
      title: 'A guide for the agent',
      blocks: hasGuideFile ? client.guide : [...client.guide, guidesByTool],
    },
    { title: 'Skills', blocks: skills === undefined ? [] : skillBlocks(site, skills) },
    { title: 'Files', blocks: [fileHosts(site), ...client.files] },
    { title: 'With an API token', blocks: client.token },
    { title: 'Remove it', blocks: client.remove },
  ].filter(({ blocks }) => blocks.length > 0)
}
