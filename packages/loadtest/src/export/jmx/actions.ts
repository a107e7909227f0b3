import type { Action, ActionOf, Duration } from '../../model/action.ts'
import { toJexl, toJexlNot } from './conditions.ts'
import { fraction, property, type TestElement, testElement, type XmlElement } from './jmx-writer.ts'
import { toSampler } from './requests.ts'
import { noteFor, toJmeter, type Work } from './work.ts'

const text = (name: string, value: string) => property('string', name, value)
const flag = (name: string, value: boolean) => property('bool', name, value)

export function toElements(work: Work, actions: readonly Action[]): TestElement[] {
  return actions.flatMap((action) =>
    written(work, action).map((element) => ({
      ...element,
      comment: [action.comment, element.comment].filter((comment) => comment !== '').join('\n'),
      isEnabled: element.isEnabled && action.enabled,
    })),
  )
}

function written(work: Work, action: Action): TestElement[] {
  const note = noteFor(work, action.id)
  const { name } = action
  const below = (actions: readonly Action[]) => toElements(work, actions)
  switch (action.type) {
    case 'http_request':
      return [toSampler(work, action)]
    case 'container':
      return [
        testElement(
          'TransactionController',
          'TransactionControllerGui',
          name,
          [flag('TransactionController.parent', false), flag('TransactionController.includeTimers', true)],
          below(action.actions),
        ),
      ]
    case 'if':
      return toIf(work, action)
    case 'while':
      if (action.iterations_max !== 1000) note('JMeter goes on for as long as the condition holds.')
      return [
        testElement(
          'WhileController',
          'WhileControllerGui',
          name,
          [text('WhileController.condition', toJexl(work, action.condition))],
          below(action.actions),
        ),
      ]
    case 'loop':
      return [
        testElement(
          'LoopController',
          'LoopControlPanel',
          name,
          [
            flag('LoopController.continue_forever', true),
            text('LoopController.loops', toJmeter(work, action.count)),
          ],
          below(action.actions),
        ),
      ]
    case 'for_each':
      return [
        testElement(
          'ForeachController',
          'ForeachControlPanel',
          name,
          [
            text('ForeachController.inputVal', action.list),
            text('ForeachController.returnVal', action.variable),
            flag('ForeachController.useSeparator', true),
          ],
          below(action.actions),
        ),
      ]
    case 'once':
      return [testElement('OnceOnlyController', 'OnceOnlyControllerGui', name, [], below(action.actions))]
    case 'random':
      return [toRandom(work, action)]
    case 'delay':
      return [pause(name, scaled(action, work))]
    case 'pacing':
      return [toPacing(work, action)]
    case 'set_variable':
      return [
        testElement('JSR223Sampler', 'TestBeanGUI', name, [
          text('cacheKey', 'true'),
          text('filename', ''),
          text('parameters', toJmeter(work, action.value)),
          text('script', `vars.put("${action.variable}", Parameters)\nSampleResult.setIgnore()`),
          text('scriptLanguage', 'groovy'),
        ]),
      ]
    case 'script':
      note('The script runs in a sandbox here: write it anew, in Groovy.')
      return [placeholder(action, action.source)]
    case 'websocket':
      note(`JMeter has no WebSockets of its own: ${action.operation} is left out.`)
      return [placeholder(action, `websocket: ${action.operation}`)]
    default:
      note('JMeter has no browser of its own: the page is left out.')
      return [placeholder(action, `page: ${action.steps.length} steps`)]
  }
}

/** A sampler that does nothing, in the place of what JMeter cannot do. */
function placeholder({ name }: Action, comment: string): TestElement {
  const properties: XmlElement[] = [
    flag('displayJMeterProperties', false),
    flag('displayJMeterVariables', false),
    flag('displaySystemProperties', false),
  ]
  return { ...testElement('DebugSampler', 'TestBeanGUI', name, properties), comment, isEnabled: false }
}

function toIf(work: Work, action: ActionOf<'if'>): TestElement[] {
  const controller = (name: string, condition: string, actions: readonly Action[]) =>
    testElement(
      'IfController',
      'IfControllerPanel',
      name,
      [
        text('IfController.condition', condition),
        flag('IfController.evaluateAll', false),
        flag('IfController.useExpression', true),
      ],
      toElements(work, actions),
    )
  const first = controller(action.name, toJexl(work, action.condition), action.actions)
  if (action.else_actions.length === 0) return [first]
  noteFor(
    work,
    action.id,
  )('What is done otherwise is a second If Controller: its condition is evaluated after the first.')
  return [first, controller(`Not: ${action.name}`, toJexlNot(work, action.condition), action.else_actions)]
}

function toRandom(work: Work, action: ActionOf<'random'>): TestElement {
  const weights = new Set(action.choices.map(({ weight }) => weight).filter((weight) => weight > 0))
  if (weights.size > 1) noteFor(work, action.id)('JMeter makes all its choices equally often.')
  const choices = action.choices.map(({ weight, name, actions }) => ({
    ...testElement('GenericController', 'LogicControllerGui', name, [], toElements(work, actions)),
    // What has no weight is never chosen.
    isEnabled: weight > 0,
  }))
  // Style 1: all of what is in a choice runs.
  return testElement(
    'RandomController',
    'RandomControlGui',
    action.name,
    [property('int', 'InterleaveControl.style', 1)],
    choices,
  )
}

function scaled({ duration, is_scaled: isScaled }: ActionOf<'delay'>, { thinkTimeFactor }: Work): Duration {
  const times = (ms: number) => (isScaled ? ms * thinkTimeFactor : ms)
  switch (duration.distribution) {
    case 'constant':
      return { ...duration, ms: times(duration.ms) }
    case 'uniform':
      return { ...duration, min_ms: times(duration.min_ms), max_ms: times(duration.max_ms) }
    default:
      return { ...duration, mean_ms: times(duration.mean_ms), deviation_ms: times(duration.deviation_ms) }
  }
}

function flowControl(name: string, ms: number, below: readonly TestElement[]): TestElement {
  return testElement(
    'TestAction',
    'TestActionGui',
    name,
    [
      property('int', 'ActionProcessor.action', 1),
      property('int', 'ActionProcessor.target', 0),
      text('ActionProcessor.duration', String(Math.round(ms))),
    ],
    below,
  )
}

/** A pause; by chance it is as long as a timer below it says. */
function pause(name: string, duration: Duration): TestElement {
  if (duration.distribution === 'constant') return flowControl(name, duration.ms, [])
  const isUniform = duration.distribution === 'uniform'
  const [delay, range] =
    duration.distribution === 'uniform'
      ? [duration.min_ms, duration.max_ms - duration.min_ms]
      : [duration.mean_ms, duration.deviation_ms]
  const type = isUniform ? 'UniformRandomTimer' : 'GaussianRandomTimer'
  return flowControl(name, 0, [
    testElement(type, `${type}Gui`, 'Think time', [
      text('ConstantTimer.delay', String(Math.round(delay))),
      text('RandomTimer.range', String(range)),
    ]),
  ])
}

/** A throughput of this one place, for each thread: so much time is between two times that it is come to. */
function toPacing(work: Work, { id, name, interval }: ActionOf<'pacing'>): TestElement {
  if (interval.distribution !== 'constant') noteFor(work, id)('The interval is constant: it is the mean.')
  const ms =
    interval.distribution === 'constant'
      ? interval.ms
      : interval.distribution === 'uniform'
        ? (interval.min_ms + interval.max_ms) / 2
        : interval.mean_ms
  if (ms <= 0) return flowControl(name, 0, [])
  return flowControl(name, 0, [
    testElement('ConstantThroughputTimer', 'TestBeanGUI', 'Pacing', [
      property('int', 'calcMode', 0),
      fraction('throughput', 60_000 / ms),
    ]),
  ])
}
