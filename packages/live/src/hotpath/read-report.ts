import { liveLimits } from '../limits.ts'
import { plainText } from '../plain-text.ts'
import type { LiveProgram, LivePush } from '../push.ts'
import { fieldsOf, isFields, textOf, type Fields } from './fields.ts'
import { hotpathPaths, readHotpathAnswers } from './read-answers.ts'

/** A report that a program wrote when it ended (`"type": "hotpath_report"`), as the one push of a session. */
export function readHotpathReport(
  report: unknown,
): Pick<LivePush, 'at' | 'sections'> & { program: LiveProgram } {
  if (!isFields(report) || report['type'] !== 'hotpath_report')
    throw new TypeError('This is no report of hotpath: its "type" is not "hotpath_report".')
  const answers = new Map(
    hotpathPaths.flatMap((path) => {
      const body = report[path.slice(1)]
      return isFields(body) ? [[path, { status: 200, body }] as const] : []
    }),
  )
  if (answers.size === 0)
    throw new TypeError('There is nothing in this report: it has no section that we know.')
  const { sections, caller, elapsedMs, era } = readHotpathAnswers(answers)
  const meta = fieldsOf(report, 'meta')
  const at = Date.parse(textOf(meta, 'created_at') ?? '')
  if (Number.isNaN(at)) throw new TypeError('The report does not say when it was made: meta.created_at.')
  return {
    at,
    sections,
    program: {
      name: plainText(textOf(report, 'label') ?? caller ?? 'hotpath', liveLimits.nameMax),
      source: 'hotpath',
      language: 'rust',
      ...optional('runtime', runtimeOf(meta)),
      ...optional('version', textOf(fieldsOf(meta, 'git'), 'sha')),
      ...(era === undefined ? {} : { era }),
      ...(elapsedMs === undefined ? {} : { started_at: at - elapsedMs }),
    },
  }
}

function runtimeOf(meta: Fields): string | undefined {
  const [compiler, system] = [textOf(meta, 'rustc'), textOf(meta, 'os')]
  const words = [compiler === undefined ? undefined : `rustc ${compiler}`, system]
  return words.filter((word) => word !== undefined).join(', ') || undefined
}

function optional(name: string, text: string | undefined): Record<string, string> {
  return text === undefined ? {} : { [name]: plainText(text, liveLimits.nameMax) }
}
