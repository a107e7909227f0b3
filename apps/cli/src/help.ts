import { helpOption, type Option } from './arguments/command-line.ts'
import { cliConfig } from './cli-config.ts'
import type { Command, ListedCommand } from './commands/command.ts'

const width = 100

/** What the person at the terminal called. */
export interface Program {
  name: string
  summary: string
  /** The first word of its commands that is not written. */
  implied: string
  exitCodes: string
}

export const flamegateProgram: Program = {
  name: 'flamegate',
  summary: 'benchmark results and profiles from a terminal or CI.',
  implied: '',
  exitCodes: '0 done, 1 refused, 2 wrong usage, 3 no connection; check and run have their own.',
}

export const mcpProfilerProgram: Program = {
  name: 'mcp-profiler',
  summary: 'measures, profiles and compares MCP servers.',
  implied: 'mcp ',
  exitCodes: '0 done, 1 a goal was missed or a regression found, 2 wrong usage or nothing could be measured.',
}

/** Help of the whole program: its commands, environment and exit codes. */
export function renderProgramHelp(program: Program, commands: readonly ListedCommand[]): string {
  return [
    `${program.name}: ${program.summary}`,
    '',
    `Usage: ${program.name} <command> [options]`,
    '',
    'Commands:',
    ...columns(commands.map((command) => [command.name, command.summary])),
    '',
    `${program.name} <command> --help shows the options of one.`,
    '',
    'Environment:',
    ...columns(Object.entries(cliConfig.shape).map(([name, setting]) => [name, setting.description ?? ''])),
    '',
    `Exit codes: ${program.exitCodes}`,
  ].join('\n')
}

/** Help of one command. */
export function renderCommandHelp(command: Command, program: Program): string {
  const own = command.positionals.filter((name) => !name.startsWith('--')).map((name) => `[${name}]`)
  const another = command.positionals.filter((name) => name.startsWith('--'))
  return [
    `Usage: ${program.name} ${[command.name.slice(program.implied.length), ...own, '[options]', ...another].join(' ')}`,
    '',
    ...wrap(command.summary, width),
    ...(command.details?.split('\n\n').flatMap((paragraph) => ['', ...wrap(paragraph, width)]) ?? []),
    ...(command.choices === undefined
      ? []
      : ['', `${command.choices.title}:`, ...columns(command.choices.rows)]),
    '',
    'Options:',
    ...columns([...command.options, helpOption].map((option) => [optionSyntax(option), option.description])),
    ...(command.examples === undefined
      ? []
      : ['', 'Examples:', ...command.examples.map((line) => `  ${line}`)]),
  ].join('\n')
}

function optionSyntax(option: Option): string {
  const short = option.short === undefined || option.value === undefined ? '' : `-${option.short}, `
  return `${short}--${option.name}${option.value === undefined ? '' : ` ${option.value}`}${option.isRepeatable === true ? '…' : ''}`
}

/** Two columns; a long first cell pushes its text to the next line. */
function columns(rows: readonly (readonly [string, string])[]): string[] {
  const indent = Math.min(28, Math.max(...rows.map(([left]) => left.length))) + 4
  return rows.flatMap(([left, right]) => {
    const lines = wrap(right, width - indent).map((line) => ' '.repeat(indent) + line)
    const head = `  ${left}`
    if (head.length > indent - 2) return [head, ...lines]
    return [head.padEnd(indent) + (lines[0]?.slice(indent) ?? ''), ...lines.slice(1)]
  })
}

function wrap(text: string, length: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(/\s+/)) {
    if (line !== '' && line.length + 1 + word.length > length) {
      lines.push(line)
      line = word
    } else {
      line = line === '' ? word : `${line} ${word}`
    }
  }
  return [...lines, line]
}
