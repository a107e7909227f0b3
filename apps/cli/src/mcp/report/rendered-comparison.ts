import {
  comparisonHtml,
  comparisonMarkdown,
  comparisonText,
  type McpComparison,
} from '@flamegate/mcp-profiling'
import { jsonOption, type Option } from '../../arguments/command-line.ts'
import type { Rendered } from './deliver.ts'
import { jsonOf } from './report-files.ts'

/** Where a comparison goes. */
export const outputOptions: readonly Option[] = [
  { name: 'output', value: '<file>', description: 'Write the comparison there: .json, .md or .html.' },
  {
    name: 'format',
    value: '<name>',
    description: 'What is printed: text (the default), json, markdown, html.',
  },
  { ...jsonOption, description: 'The same as --format json.' },
]

/** Of commands that compare reports which are there already. */
export const comparisonOptions: readonly Option[] = [
  { name: 'baseline', value: '<file|label>', description: 'The report of before.' },
  { name: 'current', value: '<file|label>', description: 'The report of now.' },
  {
    name: 'threshold',
    value: '<share>',
    description: 'Changes smaller than this do not count, such as 10%.',
  },
  ...outputOptions,
]

export function renderedComparison(comparison: McpComparison): Rendered {
  return {
    text: () => comparisonText(comparison),
    json: () => jsonOf(comparison),
    markdown: () => comparisonMarkdown(comparison),
    html: () => comparisonHtml(comparison),
  }
}
