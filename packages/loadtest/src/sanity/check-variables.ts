import type { Variable } from '../model/variable.ts'
import { variablesIn } from '../outline/action-variables.ts'
import { checkFile, type Surroundings } from './check-action.ts'
import type { Report } from './finding.ts'

/** What the variables of a project give. */
export interface GivenVariables {
  names: ReadonlySet<string>
  /** Whether columns of a CSV file are named by its first line, which is not known here: any name may be one. */
  areOpen: boolean
}

/** Names that the project's variables give, with those that are taken twice reported. */
export function checkVariables(
  variables: readonly Variable[],
  needed: ReadonlySet<string>,
  { files }: Pick<Surroundings, 'files'>,
  report: Report,
): GivenVariables {
  const givers = new Map<string, string>()
  let areOpen = false
  // A variable is needed, too, where another that is needed names it.
  const all = new Set([...needed, ...variables.flatMap((variable) => variablesIn(variable))])
  for (const variable of variables) {
    const names = variable.type === 'csv' ? variable.columns : [variable.name]
    for (const name of names) {
      const other = givers.get(name)
      if (other === undefined) givers.set(name, variable.name)
      else
        report(
          'ERROR',
          'conflicting_columns',
          other === variable.name
            ? `The file of ${variable.name} has two columns ${name}.`
            : `Both ${other} and ${variable.name} give \${${name}}.`,
          'Give one of them another name.',
        )
    }
    const isOpen = variable.type === 'csv' && variable.columns.length === 0
    const isNeeded = isOpen || names.some((name) => all.has(name))
    areOpen ||= isOpen
    if (variable.type === 'csv' && isNeeded) {
      checkFile(variable.path, files, report)
      if (variable.at_end === 'stop')
        report(
          'INFO',
          'file_end_stops',
          `At the end of ${variable.path} the virtual user stops.`,
          'Choose recycle if it is to begin anew.',
        )
    }
    if (!isNeeded)
      report(
        'INFO',
        'unused_variable',
        `Nothing here uses the variable ${variable.name}.`,
        'Delete it if nothing else does.',
      )
  }
  return { names: new Set(givers.keys()), areOpen }
}
