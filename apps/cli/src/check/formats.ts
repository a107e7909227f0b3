import type { CheckedRun } from './checked-run.ts'
import { renderJunit } from './junit.ts'
import { renderSarif } from './sarif.ts'
import { renderText } from './text.ts'

/** How a check can be written, each with its line end. */
export const checkFormats = {
  text: renderText,
  markdown: ({ answer }) => `${answer.report}\n\n${answer.url}\n`,
  json: ({ answer }) => `${JSON.stringify(answer, null, 2)}\n`,
  junit: renderJunit,
  sarif: renderSarif,
} as const satisfies Record<string, (checked: CheckedRun) => string>

export type CheckFormat = keyof typeof checkFormats

export function isCheckFormat(name: string): name is CheckFormat {
  return Object.hasOwn(checkFormats, name)
}
