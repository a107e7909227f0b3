import { formatQuantity, table, type operations, type OutputOf } from '@flamegate/contract'

type Explanation = Omit<OutputOf<typeof operations.explainRegression>, 'report'> & { name: string }

/** Which functions a change comes from, as markdown. */
export function explanationReport(explanation: Explanation): string {
  const { name, unit, base_value: before, head_value: after, change } = explanation
  return [
    `# ${name}: ${signed(change, unit)}`,
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
        signed(each.difference, unit),
      ]),
      'Neither profile has a function with time of its own.',
    ),
    `All other functions together: ${signed(explanation.others_difference, unit)}.`,
  ].join('\n\n')
}

function signed(value: number, unit: string): string {
  return `${value < 0 ? '−' : '+'}${formatQuantity(Math.abs(value), unit)}`
}
