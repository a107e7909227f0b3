import { once } from 'node:events'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import type { CommandBody } from '../../commands/command.ts'
import { interruptible } from '../../harness/interruption.ts'
import { profilerServer } from '../serve/profiler-server.ts'

export const serve: CommandBody = {
  details:
    'For a client to start: claude mcp add mcp-performance-profiler -- npx mcp-profiler serve. Its tools measure the servers that mcp-profiler.config.json and clients’ files name, and call only tools that say that they only read.',
  examples: ['mcp-profiler serve', 'mcp-profiler serve --may-change search,fetch --project prj_…'],
  positionals: [],
  options: [
    {
      name: 'allow-commands',
      description: 'Let the client measure any URL, and any command, which is run here as this user.',
    },
    {
      name: 'may-change',
      value: '<names>',
      description: 'Tools that the client may have called though they do not say that they only read.',
    },
    {
      name: 'project',
      value: '<id>',
      description: 'Project (prj_…) that results are uploaded to; FLAMEGATE_PROJECT when left out.',
    },
    {
      name: 'upload',
      description: 'Upload results when logged in, which is the default; --no-upload: do not.',
    },
  ],
  async run({ line, terminal }) {
    await interruptible(async (interruption) => {
      const { stdin } = process
      const handle = serveStdio(() =>
        profilerServer({
          terminal,
          areCommandsAllowed: line.flag('allow-commands') === true,
          mayChange: line.text('may-change') ?? '',
          projectId: line.text('project'),
          isUploaded: line.flag('upload'),
        }),
      )
      await Promise.race([once(stdin, 'end'), once(interruption, 'abort')])
      await handle.close()
    })
  },
}
