import type { FunctionInterner } from '../function-interner.ts'

/**
 * The function of an entry of Python's `pstats`. What is built in has no place there and is written in braces, as
 * `pstats` prints it: `('~', 0, '<built-in method builtins.len>')` is `{built-in method builtins.len}`.
 */
export function internPythonFunction(
  functions: FunctionInterner,
  { file, line, name }: { file: string; line: number; name: string },
): number {
  const isBuiltIn = file === '~' && line === 0
  if (!isBuiltIn) return functions.intern(name, file, line)
  return functions.intern(name.startsWith('<') && name.endsWith('>') ? `{${name.slice(1, -1)}}` : name)
}
