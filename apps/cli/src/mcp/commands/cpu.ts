import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { McpReport } from '@flamegate/mcp-profiling'
import { exportProfile, readProfile } from '@flamegate/profiles'
import type { CommandBody } from '../../commands/command.ts'
import { CouldNotMeasure } from '../could-not-measure.ts'
import { callTreeText } from '../inside/call-tree-text.ts'
import { insideOptions, samplingOption } from '../inside/inside-options.ts'
import { insideLoadOptions, insideLoadOf } from '../inside/inside-load.ts'
import { measuring, type Measuring } from '../measuring.ts'
import { operationOptions, reportOptions, targetOptions } from '../options.ts'
import { deliverReport, deliveryOf } from '../report/deliver.ts'
import { readSettings } from '../settings.ts'

export const cpu: CommandBody = {
  details:
    'Calls the operations and samples meanwhile what the server is at. Beside the report lie the profile itself (.cpuprofile, which browsers’ tools and Flamegate read), the flame graph (SVG) and the call tree (text). A command of Node.js is started with its inspector on a free port of this machine; a server at a URL of this machine is told to open it by SIGUSR1, and to close it again.',
  examples: [
    'mcp-profiler cpu --mcp my-server --duration 30s --flame-graph --call-tree',
    'mcp-profiler cpu --operations search --sampling-interval 1ms -- node server.js',
  ],
  positionals: ['-- command…'],
  options: [
    ...targetOptions,
    ...operationOptions,
    ...insideLoadOptions,
    samplingOption,
    {
      name: 'flame-graph',
      description: 'Draw a flame graph beside the report, which cpu.flameGraphs says, too.',
    },
    { name: 'call-tree', description: 'Print the call tree; cpu.callTrees writes it beside the report.' },
    ...insideOptions,
    ...reportOptions,
  ],
  async run(context) {
    const { line, terminal } = context
    const load = insideLoadOf(line)
    const delivery = deliveryOf(line, terminal)
    const { flameGraphs, callTrees } = readSettings(terminal.cwd).configuration.cpu
    const wanted = { command: 'cpu', isWide: true, inside: { cpu: true } }
    let tree = ''
    const report = await measuring(context, wanted, async (each) => {
      const measured = await each.measure('cpu', load)
      const taken = measured.profiles.find(({ kind }) => kind === 'cpu')
      if (taken === undefined) return each.report(measured)
      const profile = readProfile(await readFile(each.fileOf(taken)))
      tree = callTreeText(profile)
      const added: McpReport['profiles'] = []
      if (line.flag('flame-graph') ?? flameGraphs) {
        const { bytes } = exportProfile(profile, undefined, 'svg', { name: each.server.target.name })
        added.push(await writeBeside(each, taken, 'flame.svg', bytes))
      }
      if (line.flag('call-tree') ?? callTrees) {
        added.push(await writeBeside(each, taken, 'call-tree.txt', Buffer.from(`${tree}\n`)))
      }
      return each.report({ ...measured, profiles: [...measured.profiles, ...added] })
    })
    await deliverReport(report, { line, terminal, delivery })
    if (tree === '') throw new CouldNotMeasure('No CPU profile came of it: see the notes.')
    if (line.flag('call-tree') === true && delivery.isText) terminal.writeOut(`\nCall tree\n${tree}`)
  },
}

async function writeBeside(
  { fileOf }: Measuring,
  taken: McpReport['profiles'][number],
  name: string,
  bytes: Uint8Array,
): Promise<McpReport['profiles'][number]> {
  await writeFile(path.join(path.dirname(fileOf(taken)), name), bytes)
  return { kind: 'other', path: path.join(path.dirname(taken.path), name), profileId: null }
}
