import { helpOption, type Option } from './arguments/command-line.ts'
import { cliConfig } from './cli-config.ts'
import type { Command } from './commands/command.ts'

const width = 100

/** Help of the whole program: its commands, environment and exit codes. */
export function renderProgramHelp(commands: readonly Command[]): string {
  return [
    'flamegate: benchmark results and profiles from a terminal or CI.',
    '',
    'Usage: flamegate <command> [options]',
    '',
    'Commands:',
    ...columns(commands.map((command) => [command.name, command.summary])),
    '',
    'flamegate <command> --help shows the options of one.',
    '',
    'Environment:',
    ...columns(Object.entries(cliConfig.shape).map(([name, setting]) => [name, setting.description ?? ''])),
    '',
    'Exit codes: 0 done, 1 refused, 2 wrong usage, 3 no connection; check and run have their own.',
  ].join('\n')
}

/** Help of one command. */
export function renderCommandHelp(command: Command): string {
  const own = command.positionals.filter((name) => !name.startsWith('--')).map((name) => `[${name}]`)
  const another = command.positionals.filter((name) => name.startsWith('--'))
  return [
    `Usage: flamegate ${[command.name, ...own, '[options]', ...another].join(' ')}`,
    '',
    ...wrap(command.summary, width),
    ...(command.details === undefined ? [] : ['', ...wrap(command.details, width)]),
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
