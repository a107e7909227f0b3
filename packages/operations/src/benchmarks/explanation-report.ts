import {
  comparisonLink,
  formatDifference,
  formatQuantity,
  table,
  type operations,
  type OutputOf,
} from '@flamegate/contract'

type Explanation = Omit<OutputOf<typeof operations.explainRegression>, 'report'> & { name: string }

/** Which functions a change comes from, as markdown. */
export function explanationReport(explanation: Explanation, publicUrl: string): string {
  const { name, unit, base_value: before, head_value: after, change } = explanation
  const link = comparisonLink({
    base: [explanation.base_run_id],
    head: [explanation.head_run_id],
    benchmark: explanation.benchmark_id,
  })
  return [
    `# ${name}: ${formatDifference(change, unit)}`,
    `From ${formatQuantity(before, unit)} in run ${explanation.base_run_id} to ${formatQuantity(after, unit)} in run ` +
      `${explanation.head_run_id}, per iteration. Each side's value is divided by the shares in its profile, so the ` +
      'differences below add up to the change.',
    table(
      [
        'Function',
        'Origin',
        'State',
        { title: 'Base self', right: true },
        { title: 'Head self', right: true },
        { title: 'Difference', right: true },
      ],
      explanation.functions.map((each) => [
        each.file === null ? each.name : `${each.name} (${each.file})`,
        each.origin,
        each.state,
        formatQuantity(each.base_self, unit),
        formatQuantity(each.head_self, unit),
        formatDifference(each.difference, unit),
      ]),
      'Neither profile has a function with time of its own.',
    ),
    `All other functions together: ${formatDifference(explanation.others_difference, unit)}.`,
    `[Both flame graphs as one](${publicUrl}${link})`,
  ].join('\n\n')
}
