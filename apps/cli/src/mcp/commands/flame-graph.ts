import type { CommandLine } from '../../arguments/command-line.ts'
import type { CommandBody, CommandContext } from '../../commands/command.ts'
import { interruptible } from '../../harness/interruption.ts'
import { UsageError } from '../../usage-error.ts'
import { writeOutput } from '../../write-output.ts'
import { CouldNotMeasure } from '../could-not-measure.ts'
import { differenceGraph, flameGraphs, type FlameGraph } from '../flame-graph/drawings.ts'
import { findProfile, readProfileFile } from '../flame-graph/profile-file.ts'
import { serveFlameGraphs } from '../flame-graph/serve-flame-graphs.ts'
import { insideOptions, samplingOption } from '../inside/inside-options.ts'
import { measuring } from '../measuring.ts'
import {
  concurrentMax,
  countOf,
  durationMsOf,
  operationOptions,
  targetOptions,
  uploadOption,
} from '../options.ts'
import { storeReport } from '../report/store-report.ts'

const portMax = 65_535

export const flameGraph: CommandBody = {
  details:
    'Takes a CPU profile of the server under load, keeps it with its report in .mcp-profiler, and draws it; --profile draws what is there already: a profile in any format that Flamegate reads, a report of mcp-profiler, or its label. --baseline and --current draw what became more (red) and less (blue): as many calls on both sides where reports say how many there were, else as shares of the whole.',
  examples: [
    'mcp-profiler flame-graph --mcp my-server --output flame.svg',
    'mcp-profiler flame-graph --mcp my-server --interactive --port 8080',
    'mcp-profiler flame-graph --baseline before.cpuprofile --current after.cpuprofile --diff --output difference.svg',
  ],
  positionals: ['-- command…'],
  options: [
    ...targetOptions,
    ...operationOptions,
    {
      name: 'duration',
      value: '<time>',
      description: 'How long to profile, such as 30s; 10s when left out.',
    },
    { name: 'concurrent', value: '<n>', description: 'Calls at a time meanwhile; 5 when left out.' },
    samplingOption,
    ...insideOptions,
    { name: 'label', value: '<text>', description: 'A version or commit, for --baseline to find it by.' },
    uploadOption,
    { name: 'profile', value: '<file|label>', description: 'Draw this, and profile nothing.' },
    { name: 'baseline', value: '<file|label>', description: 'The profile of before.' },
    { name: 'current', value: '<file|label>', description: 'The profile of now.' },
    { name: 'diff', description: 'Draw the difference of --baseline and --current, which both imply.' },
    { name: 'output', value: '<file.svg>', description: 'Write the picture there.' },
    { name: 'interactive', description: 'Serve it to browsers of this machine until Ctrl-C.' },
    {
      name: 'port',
      value: '<n>',
      description: 'Of --interactive; 8080 when left out, 0 for any that is free.',
    },
  ],
  async run(context) {
    const { line, terminal } = context
    const output = outputOf(line)
    const port = countOf(line, 'port', portMax, 0) ?? 8080
    const isServed = line.flag('interactive') === true
    if (output === undefined && !isServed) {
      throw new UsageError('Say where it is to be: --output flame.svg, or --interactive for a browser.')
    }
    const graphs = await graphsOf(context)
    const [first] = graphs
    if (first === undefined) throw new UsageError('There is nothing in the profile.')
    for (const note of first.notes) terminal.writeError(`${note}\n`)
    if (output !== undefined) {
      await writeOutput(terminal.cwd, output, first.svg)
      terminal.writeError(`Written to ${output}\n`)
    }
    if (isServed) await serve(graphs, port, context)
  },
}

function outputOf(line: CommandLine): string | undefined {
  const output = line.text('output')
  if (output === undefined || output.endsWith('.svg')) return output
  throw new UsageError(`--output ${output}: end its name with .svg, which it will be.`)
}

async function graphsOf(context: CommandContext): Promise<FlameGraph[]> {
  const { line, terminal } = context
  const mcp = line.text('mcp')
  const [profile, baseline, current] = ['profile', 'baseline', 'current'].map((name) => line.text(name))
  if (baseline !== undefined && current !== undefined) {
    return [
      differenceGraph(
        await findProfile(terminal.cwd, baseline, mcp),
        await findProfile(terminal.cwd, current, mcp),
      ),
    ]
  }
  if (baseline !== undefined || current !== undefined || line.flag('diff') === true) {
    throw new UsageError('A difference has two sides: give --baseline and --current.')
  }
  if (profile !== undefined) {
    const taken = await findProfile(terminal.cwd, profile, mcp)
    return flameGraphs(taken.profile, taken.name)
  }
  return measuredGraphs(context)
}

async function measuredGraphs(context: CommandContext): Promise<FlameGraph[]> {
  const { line, terminal } = context
  const durationMs = durationMsOf(line, 'duration', '10s')
  const concurrent = countOf(line, 'concurrent', concurrentMax) ?? 5
  const wanted = { command: 'flame-graph', isWide: true, inside: { cpu: true } }
  const load = { model: 'closed' as const, concurrent, requests: undefined, durationMs }
  const report = await measuring(context, wanted, async (each) =>
    each.report(await each.measure('profile', load)),
  )
  const { target, profiles, notes } = report
  const taken = profiles.find(({ kind }) => kind === 'cpu')
  if (taken === undefined)
    throw new CouldNotMeasure(`There is no profile of ${target.name}: ${notes.join(' ')}`)
  await storeReport(report, { line, terminal })
  terminal.writeError(`The profile is ${taken.path}\n`)
  return flameGraphs(await readProfileFile(terminal.cwd, taken.path), `${target.name}, ${report.startedAt}`)
}

/** Until somebody interrupts. */
async function serve(
  graphs: readonly FlameGraph[],
  port: number,
  { terminal }: CommandContext,
): Promise<void> {
  await interruptible(async (interruption) => {
    const page = await serveFlameGraphs(graphs, port)
    terminal.writeOut(page.url)
    terminal.writeError('Open it in a browser of this machine. Ctrl-C ends it.\n')
    await new Promise<void>((resolve) => {
      if (interruption.aborted) resolve()
      else interruption.addEventListener('abort', () => resolve(), { once: true })
    })
    await page.close()
  })
}
