import { operations, type OutputOf } from '@flamegate/contract'
import {
  assumedRequestMs,
  browserUsersOf,
  estimateIteration,
  estimateRequests,
  limitProblems,
  parseDocument,
  sanityCheck,
  scenarioExtent,
  scenarioProblems,
  type Scenario,
  type ScenarioProblem,
  type ScenarioSurroundings,
} from '@flamegate/loadtest'
import { fullWords } from '../bench-runs/result-quota.ts'
import { implement, type Deps, type Reading } from '../implement.ts'
import { agentHourAdvice, agentHourWords } from '../limits/agent-hours.ts'
import { loadLimits } from '../limits/load-limits.ts'
import { finite, limitsOf, type LimitFactor } from '../limits/workspace-limits.ts'
import type { DesignObject, Validation } from '../ports/index.ts'
import { reachableHosts } from '../targets/reachable-hosts.ts'
import { getWorkspace } from '../targets.ts'
import { sanityContextOf } from '../validation/sanity-context.ts'
import { generatorChecks } from './generator-checks.ts'
import { getScenario, virtualUsersOf, type ProfiledUser } from './reaching.ts'
import { targetChecks } from './target-checks.ts'

type Output = OutputOf<typeof operations.preflightScenario>
export type Check = Output['checks'][number]

export const preflightScenario = implement(operations.preflightScenario)(async (input, context) => {
  const object = await getScenario(context, input.scenario_id)
  const workspace = await getWorkspace(context, object.workspaceId)
  return { ...(await preflight(context, object)), plan: workspace.plan }
})

/** What it takes to check a scenario in somebody's name, in a call or in a job. */
export interface Checking extends Reading {
  deps: Reading['deps'] & Pick<Deps, 'targets'> & { limits: LimitFactor }
}

/** Whether a scenario can run, and what keeps it from that. */
export async function preflight(context: Checking, object: DesignObject): Promise<Omit<Output, 'plan'>> {
  const { caller, deps } = context
  const { stores } = deps
  const scenario = parseDocument('scenario', object.document)
  const users = await virtualUsersOf(context, object.projectId, scenario)
  const design = await sanityContextOf(context, object.projectId)
  const known: ScenarioSurroundings = {
    virtualUsers: new Map([...users].map(([id, { document }]) => [id, document])),
    files: new Set(design.files.keys()),
  }
  const ofWorkspace = await limitsOf(deps, object.workspaceId)
  const limits = loadLimits(ofWorkspace)
  const latest = await stores.validations.listLatest(caller, [...users.keys()])
  const checks: Check[] = [
    ...orOk(
      'design',
      scenarioProblems(scenario, known).map(checkOfProblem('design')),
      'The scenario is sound.',
    ),
    ...orOk(
      'virtual_users',
      [...users].flatMap(([id, user]) =>
        userChecks(id, user, sanityCheck(user.document, design), latest, scenario),
      ),
      'The virtual users are sound, and passed their last validation.',
    ),
    ...orOk(
      'limits',
      [
        ...limitProblems(scenario, limits, known).map(checkOfProblem('limits')),
        ...(await roomChecks(context, object.workspaceId)),
        ...(await agentHourChecks(context, object.workspaceId, scenario)),
      ],
      `Within the limits of the plan ${ofWorkspace.plan.id}.`,
    ),
    ...orOk(
      'targets',
      targetChecks(scenario, users, design.servers, await reachableHosts(context, object.projectId)),
      'All hosts may be loaded.',
    ),
    ...generatorChecks(
      scenario,
      known,
      await stores.loadGenerators.list(caller, object.workspaceId),
      new Date(),
    ),
  ]
  const estimate = estimateOf(scenario, known)
  const extent = scenarioExtent(scenario)
  return {
    scenario_id: object.id,
    version: object.version,
    grade: worstOf(checks),
    checks: [...checks, estimateCheck(estimate)],
    caps: {
      users: cap(extent.usersMax, limits.usersMax),
      rate_per_second: cap(extent.ratePerSecondMax, limits.ratePerSecondMax),
      duration_ms: cap(extent.durationMs, limits.durationMsMax),
      browser_users: cap(browserUsersOf(scenario, known), limits.browserUsersMax),
    },
    estimate,
  }
}

const gradeOf = { ERROR: 'error', WARNING: 'warning', INFO: 'ok' } as const

function checkOfProblem(check: Check['check']) {
  return ({ grade, code, pointer, words, advice }: ScenarioProblem): Check => ({
    check,
    grade: gradeOf[grade],
    code,
    message: words,
    advice,
    pointer,
  })
}

async function roomChecks(context: Checking, workspaceId: string): Promise<Check[]> {
  const message = await fullWords(context, workspaceId)
  if (message === undefined) return []
  const advice = 'Delete results of runs that are not needed any more.'
  return [{ check: 'limits', grade: 'error', code: 'results_full', message, advice, pointer: null }]
}

/** Whether there are hours left for one agent of each group; how many there will be is not known before the start. */
async function agentHourChecks(context: Checking, workspaceId: string, scenario: Scenario): Promise<Check[]> {
  const groups = new Set(scenario.profiles.flatMap((each) => (each.enabled ? [each.agent_group] : [])))
  const plannedSeconds = Math.ceil(scenarioExtent(scenario).durationMs / 1000) * groups.size
  const message = await agentHourWords(context, workspaceId, plannedSeconds)
  if (message === undefined) return []
  const advice = agentHourAdvice
  return [{ check: 'limits', grade: 'error', code: 'agent_hours_used_up', message, advice, pointer: null }]
}

/** What is wrong, or else that nothing is. */
function orOk(check: Check['check'], found: readonly Check[], message: string): Check[] {
  const ok: Check = { check, grade: 'ok', code: 'ok', message, advice: null, pointer: null }
  return found.length > 0 ? [...found] : [ok]
}

function worstOf(checks: readonly Check[]): Check['grade'] {
  return (['error', 'warning'] as const).find((worst) => checks.some(({ grade }) => grade === worst)) ?? 'ok'
}

/** What the sanity check of a virtual user and its last validation say, in one line each. */
function userChecks(
  id: string,
  { object, document }: ProfiledUser,
  findings: ReturnType<typeof sanityCheck>,
  latest: readonly Validation[],
  { profiles }: Scenario,
): Check[] {
  const index = profiles.findIndex((profile) => profile.enabled && profile.virtual_user_id === id)
  if (index === -1) return []
  const pointer = `/profiles/${index}/virtual_user_id`
  const at = { check: 'virtual_users', pointer } as const
  const graded = (['ERROR', 'WARNING'] as const).flatMap((grade): Check[] => {
    const [first, ...more] = findings.filter((finding) => finding.grade === grade)
    if (first === undefined) return []
    const others = more.length === 0 ? '' : ` and ${more.length} more`
    const message = `${document.name}: ${first.words}${others}`
    const advice = `${first.advice}${more.length === 0 ? '' : ' sanity_check_virtual_user shows all.'}`
    return [{ ...at, grade: gradeOf[grade], code: first.code, message, advice }]
  })
  const validation = latest.find(({ virtualUserId }) => virtualUserId === id)
  const state = validation?.state
  if (state === 'PASSED' && validation?.version === object.version) return graded
  const message =
    state === undefined
      ? `${document.name} was never validated.`
      : state === 'PASSED'
        ? `${document.name} was changed since its last validation.`
        : `The last validation of ${document.name} has the state ${state}.`
  const advice = 'Run validate_virtual_user before you put load on it.'
  return [...graded, { ...at, grade: 'warning', code: 'not_validated', message, advice }]
}

function estimateOf(scenario: Scenario, { virtualUsers }: ScenarioSurroundings): Output['estimate'] {
  const whole = { iterations: 0, requests: 0, is_certain: true }
  for (const profile of scenario.profiles) {
    if (!profile.enabled) continue
    const user = virtualUsers.get(profile.virtual_user_id ?? '')
    if (user === undefined) {
      whole.is_certain = false
      continue
    }
    const { iterations, requests, isCertain } = estimateRequests(profile, estimateIteration(user))
    whole.iterations += iterations
    whole.requests += requests
    whole.is_certain &&= isCertain
  }
  return whole
}

function estimateCheck({ iterations, requests, is_certain: isCertain }: Output['estimate']): Check {
  const message = `About ${requests} requests in ${iterations} iterations, if each takes ${assumedRequestMs} ms${isCertain ? '' : ', and conditions, lists and pages are as guessed'}.`
  return { check: 'estimate', grade: 'ok', code: 'estimate', message, advice: null, pointer: null }
}

function cap(asked: number, most: number): Output['caps']['users'] {
  return { asked, most: finite(most), left: finite(Math.max(0, most - asked)) }
}
