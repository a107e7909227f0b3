import type { Action, Condition } from '../../model/action.ts'
import { SourceError } from '../importer.ts'
import { readCondition } from './conditions.ts'
import { flagOf, type JmxElement, numberOf, textOf } from './jmx-element.ts'
import { roleOf } from './roles.ts'
import type { Scope } from './scope.ts'
import { toModule } from './modules.ts'
import { commonOf, containerOf, noteOf, type Readers, type Work } from './work.ts'

const always: Condition = { combine: 'all', comparisons: [{ left: '1', operator: 'equals', right: '1' }] }
const iterationsMax = 1000

/** What a logic controller, with all below it, becomes. */
export function readController(
  work: Work,
  element: JmxElement,
  scope: Scope,
  depth: number,
  readers: Readers,
): Action[] {
  const action = toAction(work, element, scope, depth, readers)
  if (action !== undefined) work.fates.mapped(element, action.id)
  return action === undefined ? [] : [action]
}

function toAction(
  work: Work,
  element: JmxElement,
  scope: Scope,
  depth: number,
  readers: Readers,
): Action | undefined {
  const note = noteOf(work, element)
  const inside = () => readers.readActions(work, scope, depth + 1)
  const container = () => containerOf(work, element, inside())
  switch (element.type) {
    case 'TransactionController':
      return container()
    case 'GenericController':
      note('It is a container now, which is timed as a whole.')
      return container()
    case 'LoopController':
      return toLoop(work, element, inside())
    case 'WhileController':
      return toWhile(work, element, inside())
    case 'IfController':
      return toIf(work, element, inside())
    case 'ForeachController':
      return toForEach(work, element, inside())
    case 'OnceOnlyController':
      return { type: 'once', ...commonOf(work, element), actions: inside() }
    case 'RandomController':
      return toRandom(work, element, scope, depth, readers)
    case 'InterleaveControl':
      note('One of them is chosen by chance each time, not one after the other.')
      return toRandom(work, element, scope, depth, readers)
    case 'ThroughputController':
      return toShare(work, element, inside())
    case 'SwitchController':
      return toSwitch(work, element, scope, depth, readers)
    case 'ModuleController':
      return toModule(work, element, scope, depth, readers)
    case 'IncludeController': {
      const path = textOf(element.properties, 'IncludeController.includepath')
      work.fates.dropped(
        element,
        `What it includes is in a file of its own: import ${path.slice(0, 200) || 'it'} too.`,
      )
      for (const child of element.children)
        work.fates.droppedWhole(child, 'JMeter does nothing with what is below it.')
      return undefined
    }
    default:
      note(
        changes[element.type] ??
          `${element.kind.slice(0, 100)} is not known here: what is in it runs once, in its order.`,
      )
      return container()
  }
}

const changes: Readonly<Record<string, string>> = {
  RandomOrderController: 'What is in it runs in the order of the plan.',
  RunTime: 'What is in it runs once, not for a time: put a loop around it.',
  CriticalSectionController: 'Virtual users do not wait for each other.',
  RecordingController: 'It is a container now, which is timed as a whole.',
  ParallelSampler: 'What is in it runs one after the other.',
}

function toLoop(work: Work, element: JmxElement, actions: Action[]): Action {
  const note = noteOf(work, element)
  const written = textOf(element.properties, 'LoopController.loops').trim()
  if ((numberOf(written) ?? 0) < 0) {
    note(`It goes on for ever in JMeter; here it ends after ${iterationsMax} times.`)
    return {
      type: 'while',
      ...commonOf(work, element),
      condition: always,
      iterations_max: iterationsMax,
      actions,
    }
  }
  return {
    type: 'loop',
    ...commonOf(work, element),
    count: work.texts.template(written || '1', note),
    actions,
  }
}

function toWhile(work: Work, element: JmxElement, actions: Action[]): Action {
  const note = noteOf(work, element)
  const written = textOf(element.properties, 'WhileController.condition').trim()
  const template = (text: string) => work.texts.template(text, note)
  const isVariable = /^\$\{[^{}()]+\}$/.test(written)
  // A variable stands for yes as long as it is not `false`.
  const condition: Condition | undefined = isVariable
    ? { combine: 'all', comparisons: [{ left: template(written), operator: 'not_equals', right: 'false' }] }
    : written === '' || written === 'LAST'
      ? undefined
      : readCondition(written, template)
  const common = commonOf(work, element)
  if (condition !== undefined)
    return { type: 'while', ...common, condition, iterations_max: iterationsMax, actions }
  note(
    `Its condition cannot be read: ${written.slice(0, 200) || 'until a request fails'}. Write it anew, and enable it.`,
  )
  return { type: 'while', ...common, enabled: false, condition: always, iterations_max: 1, actions }
}

function toIf(work: Work, element: JmxElement, actions: Action[]): Action {
  const note = noteOf(work, element)
  const written = textOf(element.properties, 'IfController.condition').trim()
  const condition =
    written === '' ? undefined : readCondition(written, (text) => work.texts.template(text, note))
  const common = commonOf(work, element)
  if (flagOf(element.properties, 'IfController.evaluateAll') === true)
    note('The condition is evaluated once, before what is in it.')
  if (condition !== undefined) return { type: 'if', ...common, condition, actions, else_actions: [] }
  note(`Its condition cannot be read: ${written.slice(0, 200)}. Write it anew, and enable it.`)
  return { type: 'if', ...common, enabled: false, condition: always, actions, else_actions: [] }
}

function toForEach(work: Work, element: JmxElement, actions: Action[]): Action {
  const note = noteOf(work, element)
  const text = (name: string) => textOf(element.properties, `ForeachController.${name}`).trim()
  if (text('startIndex') !== '' || text('endIndex') !== '')
    note('It goes over all values, from the first to the last.')
  if (flagOf(element.properties, 'ForeachController.useSeparator') === false)
    note(
      'The values are those of one variable with several, not of variables with a number behind their name.',
    )
  if (text('inputVal') === '' || text('returnVal') === '') {
    note('It names no variable: what is in it runs once.')
    return containerOf(work, element, actions)
  }
  return {
    type: 'for_each',
    ...commonOf(work, element),
    list: work.texts.nameOf(text('inputVal')),
    variable: work.texts.nameOf(text('returnVal')),
    actions,
  }
}

const choicesMax = 100

function toRandom(work: Work, element: JmxElement, scope: Scope, depth: number, readers: Readers): Action {
  const children = element.children.filter((child) => ['sampler', 'controller'].includes(roleOf(child)))
  if (children.length > choicesMax)
    throw new SourceError(`It has more than ${choicesMax} choices.`, element.place)
  // What stands beside its choices, and scripts that run with each of them.
  const shared = readers.readActions(
    work,
    { owner: { ...element, children: besidesOf(element) }, around: scope.around },
    depth,
  )
  const choices = children.map((child) => {
    const isSimple = child.type === 'GenericController'
    if (isSimple) work.fates.mapped(child)
    return {
      // Chosen never, as disabled elements are not.
      weight: child.isEnabled ? 1 : 0,
      name: isSimple ? child.name.slice(0, 200) : '',
      actions: isSimple
        ? readers.readActions(work, { owner: child, around: scope }, depth + 1)
        : readers.readOne(work, child, scope, depth + 1),
    }
  })
  if (textOf(element.properties, 'InterleaveControl.style') === '0')
    work.fates.note(element, 'All of what is in a choice runs, not one of it at a time.')
  if (choices.length === 0) return containerOf(work, element, shared)
  const random: Action = { type: 'random', ...commonOf(work, element), choices }
  return shared.length === 0 ? random : containerOf(work, element, [...shared, random])
}

function besidesOf(element: JmxElement): JmxElement[] {
  return element.children.filter((child) => !['sampler', 'controller'].includes(roleOf(child)))
}

function toShare(work: Work, element: JmxElement, actions: Action[]): Action {
  const note = noteOf(work, element)
  const isPercent = textOf(element.properties, 'ThroughputController.style').trim() === '1'
  const percent = numberOf(textOf(element.properties, 'ThroughputController.percentThroughput'))
  if (isPercent && percent !== undefined) {
    const weight = Math.min(Math.max(percent, 0), 100)
    note(`By chance it runs in ${weight} of 100 iterations.`)
    return {
      type: 'random',
      ...commonOf(work, element),
      choices: [
        { weight, name: '', actions },
        { weight: 100 - weight, name: 'Nothing', actions: [] },
      ],
    }
  }
  const times = textOf(element.properties, 'ThroughputController.maxThroughput').trim()
  if (times === '1') {
    note('It runs once for each virtual user.')
    return { type: 'once', ...commonOf(work, element), actions }
  }
  note(`It runs in each iteration, not ${times.slice(0, 40)} times in all.`)
  return containerOf(work, element, actions)
}

/** Each of what is in it with a condition of its own. */
function toSwitch(work: Work, element: JmxElement, scope: Scope, depth: number, readers: Readers): Action {
  const note = noteOf(work, element)
  const left = work.texts.template(textOf(element.properties, 'SwitchController.value').trim(), note)
  const shared = readers.readActions(
    work,
    { owner: { ...element, children: besidesOf(element) }, around: scope.around },
    depth,
  )
  const children = element.children.filter((child) => ['sampler', 'controller'].includes(roleOf(child)))
  note('Each choice has a condition of its own; when none holds, none runs.')
  const choices = children.map((child, index): Action => {
    const comparisons: Condition['comparisons'] = [{ left, operator: 'equals', right: String(index) }]
    if (child.name !== '')
      comparisons.push({
        left,
        operator: 'equals',
        right: child.name.slice(0, 1000).replaceAll('${', () => '$${'),
      })
    if (index === 0) comparisons.push({ left, operator: 'empty', right: '' })
    return {
      type: 'if',
      id: work.context.newId('action'),
      name: child.name.slice(0, 200),
      comment: '',
      enabled: true,
      condition: { combine: 'any', comparisons },
      actions: readers.readOne(work, child, scope, depth + 2),
      else_actions: [],
    }
  })
  return containerOf(work, element, [...shared, ...choices])
}
