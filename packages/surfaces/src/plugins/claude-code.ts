import { jsonFile, markdownFile, type AgentFile } from './agent-file.ts'
import { argumentHint, commandText, serverName, summary, type PluginSource } from './plugin-source.ts'
import { pluginFolder } from './shared-plugin.ts'

/** A plugin and the marketplace that lists it: https://code.claude.com/docs/en/plugins-reference */
export function claudeCodePlugin(source: PluginSource): AgentFile[] {
  const { siteUrl, pluginVersion, prompts } = source
  return [
    jsonFile('.claude-plugin/marketplace.json', claudeCodeMarketplace(siteUrl, `./${pluginFolder}`)),
    jsonFile(`${pluginFolder}/.claude-plugin/plugin.json`, {
      name: serverName,
      version: pluginVersion,
      description: summary,
      author: { name: 'Flamegate', url: siteUrl },
      homepage: siteUrl,
      license: 'MIT',
      keywords: ['performance', 'benchmarks', 'profiling', 'load-testing', 'mcp'],
    }),
    jsonFile(`${pluginFolder}/.mcp.json`, {
      mcpServers: { [serverName]: { type: 'http', url: `${siteUrl}/mcp` } },
    }),
    ...prompts.map((prompt) =>
      markdownFile(
        `${pluginFolder}/commands/${prompt.name}.md`,
        { description: prompt.description, 'argument-hint': argumentHint(prompt) },
        commandText(prompt, '$ARGUMENTS'),
      ),
    ),
  ]
}

/** A packed plugin on a web server. */
export interface PluginArchive {
  source: 'archive'
  url: string
  /** SHA-256 in hexadecimal. */
  sha256: string
}

/** @param plugin Where the plugin is: a folder below that of the marketplace, or an archive. */
export function claudeCodeMarketplace(siteUrl: string, plugin: string | PluginArchive): object {
  return {
    name: serverName,
    description: summary,
    owner: { name: 'Flamegate', url: siteUrl },
    plugins: [{ name: serverName, description: summary, homepage: siteUrl, source: plugin }],
  }
}
