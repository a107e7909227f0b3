import { bridgeKinds } from '../bridge/kinds.ts'
import { readPushTarget, targetOptions } from '../bridge/push-target.ts'
import { UsageError } from '../usage-error.ts'
import type { Command } from './command.ts'

/** `flamegate bridge <kind>`: reads what measures a program, and pushes it to a live app. */
export function bridgeCommand(name: string | undefined): Command {
  const kind = bridgeKinds.find((each) => each.name === name)
  if (kind === undefined) return withoutKind(name)
  return {
    name: `bridge ${kind.name}`,
    summary: kind.summary,
    details: kind.details,
    examples: kind.examples,
    positionals: [],
    options: [
      ...targetOptions,
      ...kind.options,
      { name: 'quiet', description: 'Say nothing but what goes wrong.' },
    ],
    run: (context) => kind.run({ ...context, target: readPushTarget(context.line, context.terminal) }),
  }
}

function withoutKind(name: string | undefined): Command {
  const names = bridgeKinds.map((each) => each.name).join(', ')
  return {
    name: 'bridge',
    summary: `Read what measures a running program (${names}), and push it to a live app.`,
    details: bridgeKinds.map((each) => `flamegate bridge ${each.name}: ${each.summary}`).join(' '),
    positionals: ['kind'],
    options: [],
    run: () => {
      throw new UsageError(
        `${name === undefined ? 'Say what it reads' : `There is no bridge for ${name}`}: flamegate bridge with one of ${names}.`,
      )
    },
  }
}
