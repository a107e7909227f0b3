import { variablesReadBy } from '../model/script-variables.ts'
import { templateParts } from '../model/template-parts.ts'
import type { Variable } from '../model/variable.ts'
import type { VirtualUser } from '../model/virtual-user.ts'
import { walkActions } from '../outline/walk-actions.ts'
import { serverHolders } from './rename-servers.ts'

/** Ids of the servers that a virtual user sends requests to. */
export function serversOf(document: VirtualUser): Set<string> {
  return new Set(Array.from(serverHolders(document.actions), ({ server_id: id }) => id))
}

/** Names of the variables that a document names: as `${name}`, as the list that it goes through, or in a script. */
export function variableNamesOf(document: unknown): Set<string> {
  const names = new Set<string>()
  const look = (value: unknown, field?: string): void => {
    if (typeof value === 'string') {
      if (field === 'list') names.add(value)
      for (const name of variablesReadBy(value)) names.add(name)
      // Whether x.length means a variable of this name or the length of x, both may be meant.
      if (!value.includes('${')) return
      for (const part of templateParts(value)) {
        if (typeof part === 'string') continue
        names.add(part.name)
        names.add(part.name.replace(/\.length$/, ''))
      }
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, part] of Object.entries(value)) look(part, name)
    }
  }
  look(document)
  return names
}

/** Those of a project's variables that the documents may name, and those that these name in turn. */
export function neededVariables<V extends Variable>(
  documents: readonly unknown[],
  variables: readonly V[],
): V[] {
  const wanted = new Set<V>()
  const look = (document: unknown): void => {
    const names = variableNamesOf(document)
    for (const variable of variables) {
      const isNamed =
        names.has(variable.name) ||
        // Where the file's first line names the columns, any of them may be meant.
        (variable.type === 'csv' &&
          (variable.columns.length === 0 || variable.columns.some((column) => names.has(column))))
      if (!isNamed || wanted.has(variable)) continue
      wanted.add(variable)
      look(variable)
    }
  }
  for (const document of documents) look(document)
  return variables.filter((variable) => wanted.has(variable))
}

/** Paths of the project files that a virtual user and its variables send or read. */
export function filesOf(document: VirtualUser, variables: readonly Variable[]): Set<string> {
  const paths = new Set(variables.flatMap((variable) => (variable.type === 'csv' ? [variable.path] : [])))
  for (const { action } of walkActions(document)) {
    if (action.type === 'http_request') {
      const { body } = action
      if (body?.type === 'file') paths.add(body.path)
      if (body?.type !== 'multipart') continue
      for (const part of body.parts) if (part.type === 'file') paths.add(part.path)
    } else if (action.type === 'page') {
      for (const step of action.steps) {
        if (step.type !== 'set_files') continue
        for (const path of step.paths) paths.add(path)
      }
    }
  }
  return paths
}
