import type { ActionOf } from '../../model/action.ts'
import { type JmxElement, textOf } from './jmx-element.ts'
import { commonOf, noteOf, type Work } from './work.ts'

const sourceCharactersMax = 900_000

/** Whether an element runs a script: JSR223, BeanShell, BSF. */
export function isScripted({ type }: JmxElement): boolean {
  return /^(?:JSR223|BeanShell|BSF)/.test(type)
}

/** Setting a variable, in Groovy: what the export writes, and what people write most. */
const setting =
  /^vars\.put\(\s*(["'])([^"'\\$]{1,80})\1\s*,\s*(?:Parameters|(["'])((?:(?!\3)[^\\\n$])*)\3|vars\.get\(\s*(["'])([^"'\\$]{1,80})\5\s*\))\s*\)\s*;?$/

/**
 * Scripts of JMeter are Groovy, BeanShell and others, which cannot run here. Those that only set variables become that; of the
 * others the source is kept as a comment in a script that is disabled.
 */
export function readScript(
  work: Work,
  element: JmxElement,
): (ActionOf<'script'> | ActionOf<'set_variable'>)[] {
  const { properties } = element
  const source =
    textOf(properties, 'script') ||
    textOf(properties, 'BeanShellSampler.query') ||
    textOf(properties, 'BSFSampler.query')
  const lines = source
    .slice(0, sourceCharactersMax)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^(?:\/\/|SampleResult\.setIgnore\(\);?$)/.test(line))
  const settings = lines.slice(0, 20).map((line) => setting.exec(line))
  if (lines.length > 0 && lines.length <= 20 && settings.every((found) => found !== null)) {
    const actions = settings.map((found) => toSetting(work, element, found))
    work.fates.mapped(element, actions[0]!.id)
    return actions
  }
  const language =
    textOf(properties, 'scriptLanguage') || (element.type.startsWith('BeanShell') ? 'beanshell' : 'groovy')
  const file = textOf(properties, 'filename') || textOf(properties, 'BeanShellSampler.filename')
  const heading = `${element.kind} of JMeter, in ${language.slice(0, 40)}${file === '' ? '' : `, from the file ${file.slice(0, 200)}`}:`
  const action: ActionOf<'script'> = {
    type: 'script',
    ...commonOf(work, element),
    enabled: false,
    source: [heading, ...source.slice(0, sourceCharactersMax).split('\n')]
      .slice(0, 20_000)
      .map((line) => `// ${line}`)
      .join('\n'),
    timeout_ms: 1000,
  }
  work.fates.approximated(
    element,
    `It is in ${language.slice(0, 40)}, which cannot run here: write it anew in JavaScript, and enable it.`,
    action.id,
  )
  return [action]
}

function toSetting(work: Work, element: JmxElement, found: RegExpExecArray): ActionOf<'set_variable'> {
  const [, , name = '', , literal, , other] = found
  const note = noteOf(work, element)
  const parameters = textOf(element.properties, 'parameters')
  const value =
    other !== undefined
      ? `\${${work.texts.nameOf(other)}}`
      : literal === undefined
        ? work.texts.template(parameters, note)
        : literal
  return { type: 'set_variable', ...commonOf(work, element), variable: work.texts.nameOf(name), value }
}
