import { jsonFile, type AgentFile } from './agent-file.ts'
import { commandText, serverName, shortContext, summary, type PluginSource } from './plugin-source.ts'
import { pluginFolder } from './shared-plugin.ts'

/** An extension of Gemini CLI: https://geminicli.com/docs/extensions/reference */
export function geminiCliExtension(source: PluginSource): AgentFile[] {
  const { siteUrl, pluginVersion, prompts } = source
  return [
    jsonFile(`${pluginFolder}/gemini-extension.json`, {
      name: serverName,
      version: pluginVersion,
      description: summary,
      mcpServers: { [serverName]: { httpUrl: `${siteUrl}/mcp` } },
      contextFileName: 'GEMINI.md',
    }),
    { path: `${pluginFolder}/GEMINI.md`, content: shortContext(source) },
    // The folder becomes part of the command: /flamegate:optimize.
    ...prompts.map((prompt) => ({
      path: `${pluginFolder}/commands/flamegate/${prompt.name}.toml`,
      content: toml({ description: prompt.description, prompt: commandText(prompt, '{{args}}') }),
    })),
  ]
}

/** A basic string of TOML is written as one of JSON. */
function toml(table: Readonly<Record<string, string>>): string {
  return Object.entries(table)
    .map(([name, value]) => `${name} = ${JSON.stringify(value)}\n`)
    .join('')
}
