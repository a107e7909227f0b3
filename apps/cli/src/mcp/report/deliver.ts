import path from 'node:path'
import {
  diagnoseReport,
  reportHtml,
  reportMarkdown,
  reportText,
  type McpReport,
} from '@flamegate/mcp-profiling'
import type { CommandLine } from '../../arguments/command-line.ts'
import type { Terminal } from '../../terminal.ts'
import { UsageError } from '../../usage-error.ts'
import { writeOutput } from '../../write-output.ts'
import { readSettings } from '../settings.ts'
import { jsonOf } from './report-files.ts'
import { storeReport } from './store-report.ts'

export const formats = ['text', 'json', 'markdown', 'html'] as const
export type Format = (typeof formats)[number]

/** One thing in each format, made when it is wanted. */
export type Rendered = Readonly<Record<Format, () => string>>

/** @param isDiagnosed whether it has what the rules say */
export function renderedReport(report: McpReport, isDiagnosed: boolean): Rendered {
  const diagnosis = isDiagnosed ? diagnoseReport(report) : null
  return {
    text: () => reportText(report, diagnosis),
    json: () => jsonOf(report),
    markdown: () => reportMarkdown(report, diagnosis),
    html: () => reportHtml(report, diagnosis),
  }
}

/** What is printed and written, as the command line has it. Read before anything is measured. @throws UsageError */
export interface Delivery {
  /** Whether people read what is printed. */
  isText: boolean
  print: (rendered: Rendered) => void
  write: (rendered: Rendered) => Promise<void>
}

export function deliveryOf(line: CommandLine, terminal: Terminal): Delivery {
  const { configuration, said } = readSettings(terminal.cwd)
  // People read the terminal, unless the file says otherwise.
  const usual = said.has('profiler.outputFormat') ? configuration.profiler.outputFormat : 'text'
  const asked = line.flag('json') === true ? 'json' : (line.text('format') ?? usual)
  const printed = formats.find((format) => format === asked)
  if (printed === undefined)
    throw new UsageError(`--format ${asked} is none. There are: ${formats.join(', ')}.`)
  const output = line.text('output')
  const written = output === undefined ? undefined : formatOf(output)
  return {
    isText: printed === 'text',
    print: (rendered) => terminal.writeOut(rendered[printed]().trimEnd()),
    async write(rendered) {
      if (output === undefined || written === undefined) return
      await writeOutput(terminal.cwd, output, rendered[written]())
      terminal.writeError(`Written to ${output}\n`)
    },
  }
}

function formatOf(file: string): Format {
  switch (path.extname(file)) {
    case '.json':
      return 'json'
    case '.md':
      return 'markdown'
    case '.html':
      return 'html'
    case '.txt':
      return 'text'
    default:
      throw new UsageError(
        `--output ${file}: end its name with .json, .md, .html or .txt, which says what is written.`,
      )
  }
}

/** Keeps, uploads, writes and prints a report. */
export async function deliverReport(
  report: McpReport,
  { line, terminal, delivery }: { line: CommandLine; terminal: Terminal; delivery: Delivery },
): Promise<void> {
  const { bottleneckDetection } = readSettings(terminal.cwd).configuration.performance
  const rendered = renderedReport(await storeReport(report, { line, terminal }), bottleneckDetection)
  await delivery.write(rendered)
  delivery.print(rendered)
}
