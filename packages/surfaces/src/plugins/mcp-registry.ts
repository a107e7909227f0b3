import { jsonFile, type AgentFile } from './agent-file.ts'
import { serverName, summary, type PluginSource } from './plugin-source.ts'

/**
 * What the MCP registry is told, under the name of the platform's host, which whoever publishes it has to own:
 * https://modelcontextprotocol.io/registry/remote-servers
 */
export function registryEntry({ siteUrl, version }: PluginSource): AgentFile {
  const { hostname } = new URL(siteUrl)
  return jsonFile('server.json', {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name: `${hostname.split('.').toReversed().join('.')}/${serverName}`,
    title: 'Flamegate',
    description: summary,
    version,
    websiteUrl: siteUrl,
    icons: [{ src: `${siteUrl}/favicon.svg`, mimeType: 'image/svg+xml', sizes: ['any'] }],
    remotes: [{ type: 'streamable-http', url: `${siteUrl}/mcp` }],
  })
}
