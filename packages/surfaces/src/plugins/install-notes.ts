import { publicPath } from '../library/public-texts.ts'
import type { AgentFile } from './agent-file.ts'
import { agentDownloads } from './downloads.ts'
import { serverName, summary, type PluginSource } from './plugin-source.ts'
import { pluginFolder } from './shared-plugin.ts'

/** What the plugin is, for whoever finds it in a list or its folder on a disk. */
export function pluginNotes({ siteUrl, skills }: PluginSource): AgentFile {
  return {
    path: `${pluginFolder}/README.md`,
    content: `# Flamegate

${summary}

The plugin connects to ${siteUrl}: the MCP server with its tools, and ${skills.length} skills that say which tools answer
which question. There are commands for what is asked most: to explain a regression, to make code faster, to find a leak, to
make a load test. Nothing of it runs on your machine.

The first time, log in: a browser opens, you choose what the client may do, and you can take it back at any time on the
page Connected apps.
`,
  }
}

/** How to install each of the files, for whoever has the folder. */
export function installNotes({ siteUrl, prompts }: PluginSource): AgentFile {
  const downloads = `${siteUrl}${publicPath}${agentDownloads.folder}`
  const [first] = prompts
  const command = first?.name ?? ''
  return {
    path: 'README.md',
    content: `# Flamegate for agents

Plugins, skills, rules and commands for clients of agents, made of the guides and prompts of Flamegate. They lead to
${siteUrl}.

A platform hands out the same for its own address, as [an archive](${downloads}/${agentDownloads.everything}) and file
by file. To make these files lead to another one:

\`\`\`sh
grep -rl ${siteUrl} . | xargs sed -i 's#${siteUrl}#https://flamegate.your-company.com#g'
\`\`\`

All commands are for this folder. Where a client logs in, a browser opens, and you choose what the client may do.

## Claude Code

\`\`\`sh
claude plugin marketplace add ${downloads}/${agentDownloads.marketplace}
claude plugin install ${serverName}@${serverName}
\`\`\`

That takes the plugin from the platform, which has to have an address with https. From this folder it is
\`claude plugin marketplace add ./\`. It brings the MCP server, the skills, and a command for each prompt, such as
\`/${serverName}:${command}\`. Log in with \`/mcp\`.

## Codex

\`\`\`sh
codex plugin marketplace add ./
codex plugin add ${serverName}@${serverName}
codex mcp login ${serverName}
\`\`\`

## Gemini CLI

\`\`\`sh
gemini extensions install ./${pluginFolder}
\`\`\`

It brings the MCP server, the skills, a context file, and commands such as \`/${serverName}:${command}\`. Log in with
\`/mcp auth ${serverName}\`.

## Cursor

Copy \`cursor/.cursor\` into your repository, and the skills with the line below. Log in under Tools & MCP.

## VS Code and Copilot

Copy \`copilot/.github\` and \`copilot/.vscode\` into your repository. What is in a \`copilot-instructions.md\` that you have
stays: add ours to it. Copilot on GitHub reads the instructions too. Prompts are commands such as \`/${serverName}-${command}\`.

## Skills alone

For these and some 70 other clients, from the platform or from this folder:

\`\`\`sh
npx skills add ${siteUrl}
npx skills add ./${pluginFolder} --agent cursor github-copilot
\`\`\`

By hand: each folder of \`${pluginFolder}/skills\` into the folder for skills of your client, \`.claude/skills\`,
\`.agents/skills\` or \`.github/skills\` in a repository. Clients that take skills over MCP (the extension
\`io.modelcontextprotocol/skills\`) find them on the server.

## MCP registry

\`server.json\` is for the [MCP registry](https://modelcontextprotocol.io/registry/remote-servers): \`mcp-publisher publish\`,
by whoever owns the domain that its name begins with.
`,
  }
}
