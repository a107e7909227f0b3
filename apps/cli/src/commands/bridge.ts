import { bridgeKinds } from '../bridge/kinds.ts'
import { readPushTarget, targetOptions } from '../bridge/push-target.ts'
import { UsageError } from '../usage-error.ts'
import type { Command, CommandBody } from './command.ts'

/** `flamegate bridge <kind>`: reads what measures a program, and pushes it to a live app. */
export async function bridgeCommand(name: string | undefined): Promise<Command | CommandBody> {
  const listed = bridgeKinds.find((each) => each.name === name)
  if (listed === undefined) return withoutKind(name)
  const kind = await listed.load()
  return {
    name: `bridge ${listed.name}`,
    summary: listed.summary,
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

function withoutKind(given: string | undefined): CommandBody {
  return {
    details: 'flamegate bridge <kind> --help shows the options of one.',
    choices: { title: 'Kinds', rows: bridgeKinds.map(({ name, summary }) => [name, summary]) },
    positionals: ['kind'],
    options: [],
    run: () => {
      const names = bridgeKinds.map((each) => each.name).join(', ')
      throw new UsageError(
        `${given === undefined ? 'Say what it reads' : `There is no bridge for ${given}`}: flamegate bridge with one of ${names}.`,
      )
    },
  }
}
