import type { Block, SkillPlace } from './client.ts'
import { command, fetchGuide } from './snippets.ts'
import { hostOf, type Site } from './site.ts'

/** What there is to ask a client that has nothing but this server. */
export const askAnywhere =
  'Which of my Flamegate projects have new benchmark runs, and did anything get slower?'

/** What there is to ask one that sits in a repository. */
export const askInRepository =
  'Compare the latest benchmark run of this repository in Flamegate with its baseline. What got slower, and which function is to blame?'

/** What the person sees, whatever the client. */
export const loginPage =
  'Your browser opens Flamegate: log in, see which app asks and where your answer goes, choose what it may do, and press **Allow**. It begins with reading; a tool that needs more sends you there again.'

/** The overview for agents in a file that may hold more than ours. */
export function sharedGuide(site: Site, file: string): Block[] {
  return [fetchGuide(site, file), 'If the file is there already, add to it with `>>` in place of `-o`.']
}

/** The skills of a client, by its installer and by hand. */
export function skillBlocks({ origin }: Site, { folder, installer, note }: SkillPlace): Block[] {
  return [
    'All guides as skills, which it reads when a question is about them:',
    command('Install the skills', `npx skills add ${origin} --agent ${installer}`),
    `By hand, one folder for each in \`${folder}\`; AGENTS.md lists their names:`,
    command(
      'Fetch one skill',
      `curl --create-dirs -o ${folder}/explain-regression/SKILL.md ${origin}/mcp/public/skills/explain-regression.md`,
    ),
    ...(note === undefined ? [] : [note]),
  ]
}

/** For clients without skills: the same guides, as a tool. */
export const guidesByTool =
  'It has no file of its own for this. Tell it to call `read_guide`: without a name it answers the overview, with one the guide.'

/** Where bytes go that are too many for a tool call. */
export function fileHosts(site: Site): string {
  return `Files over 100 kB do not go through MCP. A tool answers an address to send one to, or to fetch one from, at \`${hostOf(site)}\`. Where the installation keeps files in S3 it is the bucket’s host.`
}

/** For clients whose commands run on the person's machine. */
export const ownShell =
  'It runs `curl` in your shell, which asks you first. Nothing else is in the way, unless you run it in a sandbox without network.'
