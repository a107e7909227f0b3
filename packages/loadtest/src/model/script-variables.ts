// What a script does with variables is seen only where their names are written down in it.

/** Names of the variables that a script reads. */
export function variablesReadBy(source: string): string[] {
  return [...source.matchAll(/\bvars\.get\(\s*['"`]([\w.-]+)['"`]/g)].map(([, name = '']) => name)
}

/** Names of the variables that a script gives values to. */
export function variablesWrittenBy(source: string): string[] {
  return [...source.matchAll(/\bvars\.set\(\s*['"`]([\w.-]+)['"`]/g)].map(([, name = '']) => name)
}
