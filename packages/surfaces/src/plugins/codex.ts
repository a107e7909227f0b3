import { jsonFile, type AgentFile } from './agent-file.ts'
import { serverName, summary, type PluginSource } from './plugin-source.ts'
import { pluginFolder } from './shared-plugin.ts'

/** What the desktop app offers to ask. */
const starters = [
  'What got slower in this repository, and which function is to blame?',
  'Make a load test of this recording, and tell me what gives way first.',
  'Make this code faster, and prove it by measuring.',
]

/**
 * The manifest of Codex, beside `.mcp.json` and the skills, and its marketplace:
 * https://developers.openai.com/plugins/build/plugins
 */
export function codexPlugin({ siteUrl, pluginVersion }: PluginSource): AgentFile[] {
  return [
    jsonFile('.agents/plugins/marketplace.json', {
      name: serverName,
      interface: { displayName: 'Flamegate' },
      plugins: [
        {
          name: serverName,
          source: { source: 'local', path: `./${pluginFolder}` },
          policy: { installation: 'AVAILABLE', authentication: 'ON_INSTALL' },
          category: 'Developer Tools',
        },
      ],
    }),
    jsonFile(`${pluginFolder}/.codex-plugin/plugin.json`, {
      name: serverName,
      version: pluginVersion,
      description: summary,
      author: { name: 'Flamegate', url: siteUrl },
      homepage: siteUrl,
      license: 'MIT',
      skills: './skills/',
      mcpServers: './.mcp.json',
      interface: {
        displayName: 'Flamegate',
        shortDescription: 'Measure, profile, load test, compare',
        longDescription: summary,
        developerName: 'Flamegate',
        category: 'Developer Tools',
        capabilities: ['Read', 'Write'],
        websiteURL: siteUrl,
        defaultPrompt: starters,
      },
    }),
  ]
}
