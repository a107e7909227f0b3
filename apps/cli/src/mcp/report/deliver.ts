import { writeFile } from 'node:fs/promises'
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
import { jsonOf, keepReport } from './report-files.ts'

export const formats = ['text', 'json', 'markdown', 'html'] as const
export type Format = (typeof formats)[number]

/** One thing in each format, made when it is wanted. */
export type Rendered = Readonly<Record<Format, () => string>>

export function renderedReport(report: McpReport): Rendered {
  return {
    text: () => reportText(report, diagnoseReport(report)),
    json: () => jsonOf(report),
    markdown: () => reportMarkdown(report, diagnoseReport(report)),
    html: () => reportHtml(report, diagnoseReport(report)),
  }
}

/** What is printed and written, as the command line has it. Read before anything is measured. @throws UsageError */
export interface Delivery {
  print: (rendered: Rendered) => void
  write: (rendered: Rendered) => Promise<void>
}

export function deliveryOf(line: CommandLine, terminal: Terminal): Delivery {
  const asked = line.flag('json') === true ? 'json' : (line.text('format') ?? 'text')
  const printed = formats.find((format) => format === asked)
  if (printed === undefined)
    throw new UsageError(`--format ${asked} is none. There are: ${formats.join(', ')}.`)
  const output = line.text('output')
  const written = output === undefined ? undefined : formatOf(output)
  return {
    print: (rendered) => terminal.writeOut(rendered[printed]().trimEnd()),
    async write(rendered) {
      if (output === undefined || written === undefined) return
      await writeFile(path.resolve(terminal.cwd, output), rendered[written]()).catch((error: unknown) => {
        throw new UsageError(
          `${output} cannot be written: ${error instanceof Error ? error.message : 'why is not known'}`,
        )
      })
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

/** Keeps, writes and prints a report. */
export async function deliverReport(
  report: McpReport,
  { line, terminal, delivery }: { line: CommandLine; terminal: Terminal; delivery: Delivery },
): Promise<void> {
  if (line.flag('keep') !== false) terminal.writeError(`Kept as ${await keepReport(terminal.cwd, report)}\n`)
  const rendered = renderedReport(report)
  await delivery.write(rendered)
  delivery.print(rendered)
}
