import {
  diagnoseReport,
  diagnosisTables,
  reportHtml,
  reportMarkdown,
  reportText,
  type DiagnosisKind,
  type McpReport,
} from '@flamegate/mcp-profiling'
import type { CommandLine } from '../../arguments/command-line.ts'
import type { CommandBody } from '../../commands/command.ts'
import { gatherEvidence, insideOfServer, type WantedEvidence } from '../diagnose/gather-evidence.ts'
import { insideOptions, samplingOption } from '../inside/inside-options.ts'
import { measuring } from '../measuring.ts'
import {
  askedOperations,
  countOf,
  durationMsOf,
  operationOptions,
  reportOptions,
  targetOptions,
} from '../options.ts'
import { deliveryOf, type Rendered } from '../report/deliver.ts'
import { jsonOf } from '../report/report-files.ts'
import { storeReport } from '../report/store-report.ts'

const topFunctionsMax = 50
const allKinds: readonly DiagnosisKind[] = ['cpu', 'memory-leak', 'slow-response', 'errors']

export const diagnose: CommandBody = {
  details:
    'Measures what the rules need (one call after the other, several at once, inputs of several sizes, each operation by itself and while another one runs, and the inside of the server) and tells findings with their rule, evidence, confidence and a suggestion. Ends with 1 when something was found and --fail-on-findings was given.',
  examples: [
    'mcp-profiler diagnose --mcp my-server --duration 60s',
    'mcp-profiler diagnose cpu --top-functions 10 --mcp my-server',
    'mcp-profiler diagnose slow-response --trace-requests -- node server.js',
  ],
  positionals: ['kind', '-- command…'],
  options: [
    ...targetOptions,
    ...operationOptions,
    {
      name: 'duration',
      value: '<time>',
      description:
        'How long altogether, about; of that each thing that is measured gets its part. 30s when left out.',
    },
    {
      name: 'top-functions',
      value: '<n>',
      description: `Functions that are shown of a CPU profile, up to ${topFunctionsMax}; 10 when left out.`,
    },
    {
      name: 'heap-diff',
      description: 'Take heap snapshots before and after a load, and show what is more in the second.',
    },
    {
      name: 'trace-requests',
      description: 'Show the slowest of single calls with their phases, of a load as of several users.',
    },
    {
      name: 'error-analysis',
      description:
        'Look at failures too, whatever kind is asked for: by tool, kind and code, alone and with others.',
    },
    { name: 'fail-on-findings', description: 'End with 1 when something was found.' },
    samplingOption,
    ...insideOptions,
    ...reportOptions,
  ],
  async run(context) {
    const { line, terminal } = context
    const { kinds, server } = kindsOf(line)
    const topFunctions = countOf(line, 'top-functions', topFunctionsMax) ?? 10
    const delivery = deliveryOf(line, terminal)
    const { given } = await askedOperations(line, terminal, false)
    const wanted: WantedEvidence = {
      kinds,
      durationMs: durationMsOf(line, 'duration', '30s'),
      isTraced: line.flag('trace-requests') === true,
      isHeapCompared: line.flag('heap-diff') === true,
      given: new Set(Object.keys(given)),
    }
    const report = await measuring(
      { ...context, line: server },
      { command: 'diagnose', isWide: false, inside: insideOfServer(wanted) },
      async (each) => each.report(await gatherEvidence(each, wanted)),
    )
    const stored = await storeReport(report, { line, terminal })
    const rendered = renderedDiagnosis(stored, kinds, topFunctions)
    await delivery.write(rendered)
    delivery.print(rendered)
    const { findings } = diagnoseReport(stored, kinds)
    return line.flag('fail-on-findings') === true && findings.length > 0 ? 1 : 0
  },
}

/** The first word is a kind, unless it is none, and so the program that is started. */
function kindsOf(line: CommandLine): { kinds: DiagnosisKind[]; server: CommandLine } {
  const [first, ...rest] = line.positionals
  const kind = allKinds.find((each) => each === first)
  const server = kind === undefined && first !== 'all' ? line : { ...line, positionals: rest }
  if (kind === undefined) return { kinds: [...allKinds], server }
  const isWithErrors = line.flag('error-analysis') === true && kind !== 'errors'
  return { kinds: isWithErrors ? [kind, 'errors'] : [kind], server }
}

function renderedDiagnosis(
  report: McpReport,
  kinds: readonly DiagnosisKind[],
  topFunctions: number,
): Rendered {
  const diagnosis = diagnoseReport(report, kinds)
  const options = { more: diagnosisTables(report, diagnosis), topFunctions }
  return {
    text: () => reportText(report, diagnosis, options),
    // The report, as every command has it, and what is said of it.
    json: () => jsonOf({ ...report, diagnosis }),
    markdown: () => reportMarkdown(report, diagnosis, options),
    html: () => reportHtml(report, diagnosis, options),
  }
}
