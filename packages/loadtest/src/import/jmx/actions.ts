import { type Action, type ActionOf, depthMax } from '../../model/action.ts'
import { SourceError } from '../importer.ts'
import { readVariables } from './config-variables.ts'
import { readController } from './controllers.ts'
import { eachElement, type JmxElement, numberOf, textOf } from './jmx-element.ts'
import { readRequest } from './requests.ts'
import { type Role, roleOf } from './roles.ts'
import { appliedTo, type Scope } from './scope.ts'
import { isScripted, readScript } from './scripts.ts'
import { isThroughputTimer, readDelays, readInterval, readTimer, toDelay, toPacing } from './timers.ts'
import { noteOf, type Work } from './work.ts'

const actionsMax = 20_000
/** A sampler has these of its own. */
const besides: ReadonlySet<Role> = new Set([
  'config',
  'timer',
  'pre_processor',
  'post_processor',
  'assertion',
  'listener',
])

/** What the samplers and controllers below an element do, in their order. */
export function readActions(work: Work, scope: Scope, depth: number): Action[] {
  const { owner } = scope
  if (depth > depthMax)
    throw new SourceError(`Controllers are inside one another more than ${depthMax} times.`, owner.place)
  tellBesides(work, scope)
  return [
    ...readPacing(work, scope),
    ...readShared(work, scope),
    ...owner.children.flatMap((child) => readOne(work, child, scope, depth)),
  ]
}

/** What one child becomes: with what it needs before and after it. */
export function readOne(work: Work, element: JmxElement, scope: Scope, depth: number): Action[] {
  const role = roleOf(element)
  const inner = { owner: element, around: scope }
  const actions =
    role === 'controller'
      ? readController(work, element, inner, depth, { readActions, readOne })
      : role === 'sampler'
        ? readSampler(work, element, inner)
        : readOther(work, element, role)
  work.count.actions += actions.length
  if (work.count.actions > actionsMax)
    throw new SourceError(`It makes more than ${actionsMax} actions.`, element.place)
  return actions
}

function readOther(work: Work, element: JmxElement, role: Role): Action[] {
  if (besides.has(role)) {
    // These apply to samplers, which read them; what is below them is not read by JMeter either.
    for (const child of element.children)
      work.fates.droppedWhole(child, 'JMeter does nothing with what is below it.')
    return []
  }
  if (role === 'fragment') return []
  work.fates.droppedWhole(element, `There is nothing here that does what ${element.kind.slice(0, 100)} does.`)
  return []
}

function readSampler(work: Work, sampler: JmxElement, scope: Scope): Action[] {
  tellBesides(work, scope)
  for (const child of sampler.children)
    if (!besides.has(roleOf(child)))
      work.fates.droppedWhole(child, 'JMeter does nothing with what is below a sampler.')
  const main = readMain(work, sampler, scope)
  if (main.length === 0) {
    for (const child of sampler.children) work.fates.droppedWhole(child, 'Its sampler was dropped.')
    return []
  }
  const delays = sampler.type === 'TestAction' ? [] : readDelays(work, scope)
  const [before, after] = ['pre_processor', 'post_processor'].map((role) =>
    sampler.children
      .filter((child) => roleOf(child) === role && isScripted(child))
      .flatMap((child) => readScript(work, child)),
  )
  return [...delays, ...before!, ...main, ...after!]
}

function readMain(work: Work, sampler: JmxElement, scope: Scope): Action[] {
  switch (sampler.type) {
    case 'HTTPSamplerProxy':
    case 'HTTPSampler':
    case 'HTTPSampler2':
    case 'SoapSampler':
      return [readRequest(work, sampler, scope)]
    case 'TestAction':
      return readFlowControl(work, sampler, scope)
    case 'DebugSampler':
      work.fates.dropped(sampler, 'It sends nothing; results tell which variables were set.')
      return []
    default:
      if (isScripted(sampler)) return readScript(work, sampler)
      work.fates.dropped(
        sampler,
        `Virtual users speak HTTP: nothing does here what ${sampler.kind.slice(0, 100)} does.`,
      )
      return []
  }
}

const controls: Readonly<Record<string, string>> = {
  '0': 'stops the user or the test',
  '2': 'stops the user or the test at once',
  '3': 'begins the next iteration of the thread',
  '4': 'begins the next iteration of the loop',
  '5': 'leaves the loop',
}

/** A pause, or one that a timer below it makes; with a throughput timer below, it is the pacing of the whole. */
function readFlowControl(work: Work, sampler: JmxElement, scope: Scope): Action[] {
  const kind = textOf(sampler.properties, 'ActionProcessor.action').trim()
  const control = controls[kind]
  if (control !== undefined) {
    work.fates.dropped(
      sampler,
      `It ${control}, which no action does: write the condition around what is not to run.`,
    )
    return []
  }
  const written = textOf(sampler.properties, 'ActionProcessor.duration')
  const own = sampler.children.filter((child) => child.isEnabled && roleOf(child) === 'timer')
  const [only] = own
  if (only !== undefined && own.length === 1 && isThroughputTimer(only)) {
    const ms = readInterval(work, only)
    if (ms === undefined) return []
    const pacing = toPacing(work, sampler, ms)
    work.fates.mapped(sampler, pacing.id)
    work.fates.mapped(only, pacing.id)
    return [pacing]
  }
  if (work.options.thinkTimes === 'none') {
    work.fates.dropped(sampler, 'Think times were left out, as asked for.')
    return []
  }
  const uniform = readTimer(work, {
    ...sampler,
    type: 'ConstantTimer',
    properties: renamed(sampler, written),
  })
  const pause = numberOf(work.texts.resolve(written) ?? '') ?? 0
  const timed = only !== undefined && own.length === 1 ? readTimer(work, only) : undefined
  if (timed !== undefined && pause === 0 && appliedTo(work, scope, 'timer').length === 1) {
    const delay = toDelay(work, sampler, timed)
    work.fates.mapped(sampler, delay.id)
    work.fates.mapped(only!, delay.id)
    return [delay]
  }
  const delay = toDelay(
    work,
    sampler,
    uniform ?? { distribution: 'constant', ms: Math.min(Math.max(pause, 0), 86_400_000) },
  )
  work.fates.mapped(sampler, delay.id)
  return [...readDelays(work, scope), delay]
}

function renamed(sampler: JmxElement, duration: string): JmxElement['properties'] {
  const node = { tag: 'stringProp', attributes: new Map<string, string>(), children: [], text: duration }
  return new Map([...sampler.properties, ['ConstantTimer.delay', node]])
}

/** A throughput that a whole scope has: the interval between two starts of its iterations. */
function readPacing(work: Work, { owner }: Scope, below: JmxElement = owner): ActionOf<'pacing'>[] {
  const timers = owner.children.filter((child) => child.isEnabled && isThroughputTimer(child))
  if (timers.length === 0) return []
  const samplers = [...eachElement(below.children)].filter(
    (each) => each.isEnabled && roleOf(each) === 'sampler',
  ).length
  return timers.flatMap((timer) => {
    const perSampler = readInterval(work, timer)
    if (perSampler === undefined) {
      work.fates.dropped(timer, 'It asks for no throughput that is known before the test runs.')
      return []
    }
    const ms = Math.min(perSampler * Math.max(samplers, 1), 86_400_000)
    const pacing = toPacing(work, timer, ms)
    work.fates.approximated(
      timer,
      `Each iteration takes at least ${ms} ms: its ${samplers} samplers at this throughput, for one user. For all users together it belongs to a scenario.`,
      pacing.id,
    )
    return [pacing]
  })
}

/** What stands beside all thread groups begins each of them. */
export function readAround(work: Work, plan: JmxElement, group: JmxElement): Action[] {
  const scope = { owner: plan, around: undefined }
  return [...readPacing(work, scope, group), ...readShared(work, scope)]
}

/** Scripts that run before or after every sampler of a scope are told of once, where the scope begins. */
function readShared(work: Work, { owner }: Scope): Action[] {
  return owner.children
    .filter(
      (child) =>
        child.isEnabled && isScripted(child) && ['pre_processor', 'post_processor'].includes(roleOf(child)),
    )
    .flatMap((child) => {
      work.fates.note(child, 'It ran with every sampler below; it is here once.')
      return readScript(work, child)
    })
}

/** Config elements and what else stands beside samplers: what is to be said where they are. */
export function tellBesides(work: Work, { owner }: Scope): void {
  for (const element of owner.children) {
    const role = roleOf(element)
    if (!besides.has(role)) continue
    if (role === 'listener')
      work.fates.dropped(element, 'Listeners show results: validations and reports do that here.')
    else if (!element.isEnabled && !isKeptDisabled(owner, role))
      work.fates.dropped(element, 'It is disabled in the plan.')
    else if (role === 'config' || element.type === 'UserParameters') tellConfig(work, element)
    else tellUnknown(work, element, role)
  }
}

/** Extractors and assertions of a sampler stay with it. */
function isKeptDisabled(owner: JmxElement, role: Role): boolean {
  return roleOf(owner) === 'sampler' && (role === 'post_processor' || role === 'assertion')
}

function tellConfig(work: Work, element: JmxElement): void {
  if (work.told.has(element)) return
  work.told.add(element)
  if (readVariables(work, element)) return
  const { fates } = work
  switch (element.type) {
    case 'HeaderManager':
    case 'CookieManager':
    case 'CacheManager':
    case 'AuthManager':
      return
    case 'ConfigTestElement':
      if (!element.guiClass.endsWith('HttpDefaultsGui'))
        fates.dropped(
          element,
          `Virtual users speak HTTP: nothing takes what ${element.guiClass.slice(0, 100)} says.`,
        )
      return
    case 'DNSCacheManager':
      fates.dropped(element, 'Names are resolved, and checked, for each connection.')
      return
    case 'KeystoreConfig':
      fates.dropped(element, 'Client certificates are not sent.')
      return
    default:
      fates.dropped(element, `Nothing here takes what ${element.kind.slice(0, 100)} says.`)
  }
}

const known: Readonly<Partial<Record<Role, RegExp>>> = {
  timer:
    /^(?:ConstantTimer|UniformRandomTimer|GaussianRandomTimer|PoissonRandomTimer|ConstantThroughputTimer|PreciseThroughputTimer)$/,
  assertion: /^(?:Response|Duration|Size|JSONPath|XPath2?)Assertion$/,
  post_processor:
    /^(?:RegexExtractor|BoundaryExtractor|HtmlExtractor|XPath2?Extractor|JSONPostProcessor|JSONPathExtractor|JMESPathExtractor)$/,
}

function tellUnknown(work: Work, element: JmxElement, role: Role): void {
  if (known[role]?.test(element.type) === true) return
  if ((role === 'pre_processor' || role === 'post_processor') && isScripted(element)) return
  const advice: Readonly<Partial<Record<Role, string>>> = {
    timer: 'waits as it does: use a delay or a pacing.',
    assertion: 'asks what it asks: use an assertion on the body, the headers or the status.',
    post_processor: 'takes values as it does: use an extractor.',
    pre_processor: 'changes requests as it does: use an extractor and a variable.',
  }
  noteOf(work, element)(`Nothing here ${advice[role] ?? 'does this.'}`)
}
