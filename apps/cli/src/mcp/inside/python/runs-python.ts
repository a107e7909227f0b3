import { closeSync, openSync, readSync } from 'node:fs'
import path from 'node:path'
import type { StdioTarget } from '../../target/mcp-target.ts'

/** Programs that are Python, or are there to start it. */
const programs = /^(?:(?:python|pypy)[\d.]*|uvx?|pipx|poetry|pdm|hatch|rye)(?:\.exe)?$/
const firstLineMax = 256

/** Whether a command is Python, something that starts it, or a script that says that it is one. */
export function runsPython({ command, cwd, env }: StdioTarget, searchPath: string | undefined): boolean {
  const [program] = command
  if (programs.test(path.basename(program)) || program.endsWith('.py')) return true
  const folders = program.includes(path.sep) ? [cwd] : (env['PATH'] ?? searchPath ?? '').split(path.delimiter)
  for (const folder of folders) {
    const line = firstLineOf(path.resolve(folder, program))
    // The second line is how installers write it where the path of Python is long.
    if (line !== undefined) return /^#!.*\b(?:python|pypy)|^#!\/bin\/sh\n.*\bpython/.test(line)
  }
  return false
}

function firstLineOf(file: string): string | undefined {
  try {
    const opened = openSync(file, 'r')
    try {
      const bytes = Buffer.alloc(firstLineMax)
      return bytes.subarray(0, readSync(opened, bytes)).toString('latin1')
    } finally {
      closeSync(opened)
    }
  } catch {
    return undefined
  }
}
