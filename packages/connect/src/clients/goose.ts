import type { DescribeClient } from '../client.ts'
import { askInRepository, ownShell, sharedGuide } from '../common.ts'
import { gooseLink } from '../install-links.ts'
import { command, tokenPlaceholder, yamlFile } from '../snippets.ts'
import { serverName } from '../site.ts'

const settings = '~/.config/goose/config.yaml'

export const goose: DescribeClient = (site) => {
  const url = `${site.origin}/mcp/compact`
  const extension = `
extensions:
  ${serverName}:
    type: streamable_http
    name: ${serverName}
    enabled: true
    uri: ${url}
    timeout: 300
`
  return {
    id: 'goose',
    name: 'Goose',
    documentation: 'https://goose-docs.ai/docs/getting-started/using-extensions',
    path: '/mcp/compact',
    tools:
      'Goose gives every tool to the model in each request. This address lists a handful, from which every other one is found and called; `available_tools` in the file leaves only those that it names.',
    add: [
      { link: gooseLink(url), label: 'Install in Goose' },
      'Goose Desktop shows the extension: confirm it.',
    ],
    logIn: 'Goose opens the browser when it first uses the extension.',
    ask: askInRepository,
    otherWays: [
      'For Goose Desktop and the command line; on Windows the file is `%APPDATA%\\Block\\goose\\config\\config.yaml`:',
      yamlFile(settings, extension),
      'For one session only:',
      command('Command for Goose', `goose session --with-streamable-http-extension "${url}"`),
    ],
    guide: sharedGuide(site, 'AGENTS.md'),
    skills: { folder: '.goose/skills', installer: 'goose' },
    files: [ownShell],
    token: [
      yamlFile(
        settings,
        `${extension.trimEnd()}
    headers:
      Authorization: Bearer ${tokenPlaceholder}
`,
        'Configuration with an API token',
      ),
    ],
    remove: ['Extensions → Flamegate → Remove; in a shell `goose configure`, Remove Extension.'],
  }
}
