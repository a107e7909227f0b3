import { captureKinds, newId, operations, Problem, type InputOf } from '@flamegate/contract'
import { implement, type CallContext } from '../implement.ts'
import type { Collector, OfferedCapture, Project } from '../ports/index.ts'
import { getProject } from '../targets.ts'
import { captureCommands } from './capture-commands.ts'
import { isConnected, offeredOnWire } from './collectors.ts'

type Input = InputOf<typeof operations.captureProfile>

/** How long a collector has beside the capture itself: to come for it, to upload it, and until it is read. */
const spareMinutes = 15

interface Offer {
  collector: Collector
  capture: OfferedCapture
}

export const captureProfile = implement(operations.captureProfile)(async (input, context) => {
  const project = await getProject(context, input.project_id)
  const collectors = await context.deps.stores.collectors.list(context.caller, project.id)
  const offers = collectors
    .filter((collector) => isConnected(collector))
    .flatMap((collector) => collector.captures.map((capture) => ({ collector, capture })))
  const offer = chosen(input, offers)
  if (offer !== undefined) return order(input, offer, project, context)
  return {
    project_id: project.id,
    task_id: null,
    next_poll_seconds: null,
    collector: null,
    commands: commandsFor(input, project.id, offers),
    captures: offers.map(({ collector, capture }) => ({
      ...offeredOnWire(capture),
      collector: collector.name,
    })),
  }
})

/**
 * What a collector is asked for: the capture that was named, else the only one of that kind and type. With a target of
 * one's own, commands are meant.
 */
function chosen({ capture: name, kind, type, target }: Input, offers: readonly Offer[]): Offer | undefined {
  if (name !== undefined) {
    const named = offers.filter((offer) => offer.capture.name === name)
    const [first, another] = named
    if (first === undefined) {
      throw new Problem(
        'collector_not_found',
        `No connected collector may run ${name}. ${whatThereIs(offers)}`,
      )
    }
    if (another !== undefined) {
      const names = named.map(({ collector }) => collector.name).join(', ')
      throw new Problem('invalid_input', `More than one collector may run ${name}: ${names}.`, {
        errors: [
          { field: 'capture', message: 'Let each have a name of its own in the files of the collectors.' },
        ],
      })
    }
    return first
  }
  if (kind === undefined || target !== undefined) return undefined
  const fitting = offers.filter(
    ({ capture }) => capture.kind === kind && (type === undefined || capture.types.includes(type)),
  )
  return fitting.length === 1 ? fitting[0] : undefined
}

function whatThereIs(offers: readonly Offer[]): string {
  return offers.length === 0
    ? 'None is connected: call without capture, for the commands.'
    : `There are: ${offers.map(({ capture }) => capture.name).join(', ')}.`
}

function commandsFor(
  { kind, type, seconds, target }: Input,
  projectId: string,
  offers: readonly Offer[],
): ReturnType<typeof captureCommands> {
  if (kind === undefined) {
    throw new Problem('invalid_input', `Give kind, or capture. ${whatThereIs(offers)}`, {
      errors: [{ field: 'kind', message: 'Required without capture.' }],
    })
  }
  const facts = captureKinds[kind]
  const measured = type ?? facts.types[0] ?? 'cpu'
  if (!facts.types.includes(measured)) throw cannotMeasure(kind, facts.types)
  if (target !== undefined && !facts.targets.includes('command')) checkAddress(target)
  return captureCommands({ kind, type: measured, seconds, target, projectId })
}

/** An address goes into a line that somebody is to run: it is one, or a port. */
function checkAddress(target: string): void {
  if (/^\d+$/.test(target) || /^(https?:\/\/)?[\w.:[\]-]+(\/\S*)?$/.test(target)) return
  throw new Problem('invalid_input', 'target is to be the address of the program.', {
    errors: [{ field: 'target', message: 'Such as http://localhost:6060.' }],
  })
}

function cannotMeasure(name: string, types: readonly string[]): Problem {
  return new Problem('invalid_input', `${name} takes ${types.join(', ')}.`, {
    errors: [{ field: 'type', message: `One of ${types.join(', ')}.` }],
  })
}

/** Makes the task, and what the collector is to do for it. */
async function order(
  input: Input,
  { collector, capture }: Offer,
  project: Pick<Project, 'id' | 'workspaceId'>,
  { caller, deps, requestId, concerns }: CallContext,
): Promise<ReturnType<typeof answerOf>> {
  const type = input.type ?? capture.types[0] ?? 'cpu'
  if (!capture.types.includes(type)) throw cannotMeasure(capture.name, capture.types)
  if (input.seconds !== undefined && input.seconds > capture.secondsMax) {
    throw new Problem('invalid_input', `${capture.name} may take ${capture.secondsMax} s at most.`, {
      errors: [{ field: 'seconds', message: `At most ${capture.secondsMax}.` }],
    })
  }
  const taskId = newId('task')
  const { workspaceId } = project
  concerns(workspaceId, taskId)
  await deps.stores.tasks.create(caller, {
    id: taskId,
    workspaceId,
    projectId: project.id,
    kind: 'capture_profile',
    message: `Waiting for the collector ${collector.name}`,
    result: { collector: collector.name, capture: capture.name, type },
  })
  // Before the collector can hear of it, so that none waits for ever.
  const waitMs = (input.seconds ?? capture.secondsMax) * 1000 + spareMinutes * 60_000
  await deps.queue.add('end_capture', { taskId, workspaceId, requestId, waitMs }, { delayMs: waitMs })
  await deps.stores.collectors.order(caller, {
    taskId,
    workspaceId,
    projectId: project.id,
    collectorId: collector.id,
    name: capture.name,
    type,
    seconds: input.seconds ?? null,
  })
  return answerOf(project.id, taskId, collector.name)
}

function answerOf(projectId: string, taskId: string, collector: string) {
  return {
    project_id: projectId,
    task_id: taskId,
    next_poll_seconds: 2,
    collector,
    commands: [],
    captures: [],
  }
}
