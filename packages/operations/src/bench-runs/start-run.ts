import { newId, operations, Problem } from '@flamegate/contract'
import {
  isOpen,
  loadPeak,
  scenario as scenarioSchema,
  scenarioExtent,
  type Scenario,
} from '@flamegate/loadtest'
import type { Deps } from '../implement.ts'
import { agentHourAdvice, agentHourWords } from '../limits/agent-hours.ts'
import { planProblem } from '../limits/plan-problem.ts'
import type { BenchResult, BenchShard, DesignObject, LoadGenerator } from '../ports/index.ts'
import { addReportOfRun } from '../reports/add-report.ts'
import { preflight, type Checking } from '../scenarios/preflight-scenario.ts'
import { holdsOthers } from './holds-others.ts'
import { isOnline } from './on-wire.ts'
import { mayRun, otherEnginesOf } from './other-engines-of.ts'
import { planOfScenario } from './plan-of-scenario.ts'

/** What it takes to start a run in somebody's name, in a call or in a job. */
export interface Starting extends Checking {
  deps: Checking['deps'] & Pick<Deps, 'queue'>
  requestId: string
}

export interface WantedRun {
  /** Else that of the scenario. */
  name?: string | undefined
  /** As many of each group, whether they are there yet or not; else the idle ones. */
  agents?: number | undefined
  /** Of each group, at most. */
  agentsMax: number
  /** Of every request; else as the scenario says. */
  resultFiles?: Scenario['result_files'] | undefined
  /** How long it waits for them. */
  agentWaitMs?: number | undefined
  /** The id that it gets. */
  benchResultId: string
}

/** Agents that are there are ready by then. */
const defaultAgentWaitMs = 60_000
/** How much later than its last second a run is ended by force. */
const overtimeSeconds = 300

/**
 * Starts the load of a scenario on its agents.
 * @throws Problem `invalid_input` when it cannot run, `plan_limit_reached`
 */
export async function startRun(
  starting: Starting,
  object: DesignObject,
  { name, agents, agentsMax, agentWaitMs = defaultAgentWaitMs, resultFiles, benchResultId }: WantedRun,
): Promise<BenchResult> {
  const { caller, deps } = starting
  const { workspaceId, projectId } = object
  const scenario = await soundScenario(starting, object)
  const plan = await planOfScenario(starting, projectId, {
    ...scenario,
    result_files: resultFiles ?? scenario.result_files,
  })
  const { durationMs, usersMax } = scenarioExtent(scenario)
  const generators = await deps.stores.loadGenerators.list(caller, workspaceId)
  const shards = shardsFor(scenario, generators, { agents, agentsMax })
  const plannedSeconds = Math.ceil(durationMs / 1000) * shards.length
  const words = await agentHourWords(starting, workspaceId, plannedSeconds)
  if (words !== undefined) throw planProblem(words, { advice: agentHourAdvice })
  const run = await deps.stores.benchRuns.create(
    caller,
    {
      id: benchResultId,
      workspaceId,
      projectId,
      scenarioId: object.id,
      scenarioVersion: object.version,
      name: name ?? scenario.name,
      durationMs,
      usersMax: Math.ceil(usersMax),
      taskId: newId('task'),
      benchReportId: newId('benchReport'),
      agentWaitMs,
      plan,
    },
    shards,
  )
  await queueRun(starting, run)
  return run
}

/** The second half of a start: what is done of it already stays as it is. */
export async function queueRun({ caller, deps, requestId }: Starting, run: BenchResult): Promise<void> {
  const { id, workspaceId, projectId, scenarioId, taskId, durationMs } = run
  const { stores, queue } = deps
  await addReportOfRun({ caller, deps }, run)
  const plan = await stores.benchRuns.findPlan(caller, id)
  await stores.series.begin(caller, id, {
    // As long as it may go on after its end.
    secondsMax: Math.ceil(durationMs / 1000) + overtimeSeconds,
    containers: (plan?.actions ?? []).flatMap((action, place) => (holdsOthers(action) ? [place] : [])),
  })
  if ((await stores.tasks.find(caller, taskId)) === undefined)
    await stores.tasks.create(caller, {
      id: taskId,
      workspaceId,
      projectId,
      kind: 'run_scenario',
      message: 'Waiting for agents',
      result: { bench_result_id: id, scenario_id: scenarioId },
    })
  const job = { workspaceId, requestId, benchResultId: id }
  const shards = await stores.benchRuns.listShards(caller, id)
  await queue.addAfter(
    { name: 'end_bench_run', payload: { ...job, taskId: id } },
    shards.map((shard) => ({ name: 'run_bench_shard', payload: { ...job, taskId: shard.id } })),
  )
}

/**
 * What is to run, when it can.
 * @throws Problem `invalid_input`
 */
export async function soundScenario(checking: Checking, object: DesignObject): Promise<Scenario> {
  mustBeSound(await preflight(checking, object))
  return scenarioSchema.parse(object.document)
}

/** What no agent could change: it would be refused later, or be another load than the one that is meant. @throws Problem */
function mustBeSound({ checks }: Pick<Awaited<ReturnType<typeof preflight>>, 'checks'>): void {
  // Agents may come while the run waits for them, and a virtual user that fails is sometimes what is looked for.
  const wrong = checks.filter(
    // What the plan has no more of is said at the start, when it is known how many agents there are.
    ({ check, grade, code }) =>
      grade === 'error' &&
      check !== 'generators' &&
      check !== 'virtual_users' &&
      code !== 'agent_hours_used_up',
  )
  const [first] = wrong
  if (first === undefined) return
  throw new Problem('invalid_input', `This scenario cannot run: ${first.message}`, {
    errors: wrong.map(({ message, advice, pointer }) => ({
      field: pointer === null ? 'scenario_id' : `scenario${pointer}`,
      message: [message, advice].filter((text) => text !== null).join(' '),
    })),
    hint: [operations.preflightScenario, 'shows all that is wrong with it'],
  })
}

/** As many parts as are asked for, or as idle agents of each group are there; one at least, and no more than there are users. */
function shardsFor(
  { profiles }: Scenario,
  generators: readonly LoadGenerator[],
  { agents, agentsMax }: Pick<WantedRun, 'agents' | 'agentsMax'>,
): Pick<BenchShard, 'id' | 'agentGroup' | 'shareIndex' | 'shareCount' | 'engines'>[] {
  const enabled = profiles.filter((profile) => profile.enabled)
  return [...new Set(enabled.map((profile) => profile.agent_group))].flatMap((agentGroup) => {
    const engines = [...new Set(otherEnginesOf({ profiles }, agentGroup).map(({ type }) => type))]
    const idle = generators.filter(
      (generator) =>
        generator.agentGroup === agentGroup &&
        isOnline(generator) &&
        generator.benchResultId === null &&
        mayRun(generator, engines),
    )
    const users = enabled
      .filter((profile) => profile.agent_group === agentGroup)
      .reduce((sum, { load }) => sum + (isOpen(load) ? load.users_max : loadPeak(load)), 0)
    const wanted = agents ?? Math.min(idle.length, agentsMax)
    const shareCount = Math.max(1, Math.min(wanted, Math.ceil(users)))
    return Array.from({ length: shareCount }, (_, shareIndex) => ({
      id: newId('benchShard'),
      agentGroup,
      shareIndex,
      shareCount,
      engines,
    }))
  })
}
