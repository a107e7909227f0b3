import { z } from 'zod'

/**
 * What a guide tells an agent to do, in the form in which a program can do it. Read from the guide's own text, so that what is
 * tested is what agents read:
 *
 * - A fence of `json` with `tool` and `arguments` is a call; with `until`, it is repeated until the answer has those values.
 * - A fence of `sh` is a command for the shell.
 * - After the language, `instead` marks what is done in place of the step before, in another case: no part of the main way.
 * - `{list_runs.runs[0].id}` is what the last answer of that tool has there; `{repository}` is given to the agent.
 * - Under `## Done when`, each line says a value of an answer that is the guide's end.
 */
export type GuideStep = { isInstead: boolean } & (
  | {
      kind: 'call'
      tool: string
      arguments: Record<string, unknown>
      until: Record<string, unknown> | undefined
    }
  | { kind: 'shell'; command: string }
)

/** `- ` and the place of a value, then `is known`, `is "value"`, or `is above number`. */
export interface GuideEnd {
  place: Place
  is: { known: true } | { value: unknown } | { above: number }
}

/** A value of an answer: of which tool, and where in it. */
export interface Place {
  tool: string
  path: readonly PathStep[]
}

/** A field; the element at a place of a list, from its end when negative; or the first element whose field has that value. */
type PathStep = { field: string } | { index: number } | { where: string; is: string }

const callBlock = z.strictObject({
  tool: z.string(),
  arguments: z.record(z.string(), z.unknown()),
  until: z.record(z.string(), z.unknown()).optional(),
})

/** @throws SyntaxError or ZodError when a fence of `json` is no call. */
export function stepsOf(text: string): GuideStep[] {
  const fences = [...text.matchAll(/^( *)```(json|sh)( instead)?\n(.*?)^ *```$/gms)]
  return fences.map(([, , language, instead, body = '']): GuideStep => {
    const isInstead = instead !== undefined
    if (language === 'sh') return { kind: 'shell', isInstead, command: body.trim() }
    const call = callBlock.parse(JSON.parse(body))
    return { kind: 'call', isInstead, tool: call.tool, arguments: call.arguments, until: call.until }
  })
}

/** The names under `Given:`: what the person said, or what the agent knows when it begins. */
export function givenOf(text: string): string[] {
  const line = /^Given:(.*(?:\n.+)*)/m.exec(text)?.[1] ?? ''
  return [...line.matchAll(/`([a-z_]+)`/g)].map((match) => match[1] ?? '')
}

/** @throws SyntaxError when a line under `## Done when` says nothing that can be looked at. */
export function endsOf(text: string): GuideEnd[] {
  const section = /^## Done when\n(.*?)(?=^## |$(?![\s\S]))/ms.exec(text)?.[1] ?? ''
  return section
    .split('\n')
    .filter((line) => line.startsWith('- '))
    .map((line): GuideEnd => {
      const [, place = '', known, above, value] =
        /^- `([^`]+)` is (?:(known)|above `([^`]+)`|`([^`]+)`)/.exec(line) ?? []
      if (place === '') throw new SyntaxError(`Nothing to look at: ${line}`)
      if (known !== undefined) return { place: placeOf(place), is: { known: true } }
      if (above !== undefined) return { place: placeOf(place), is: { above: Number(above) } }
      return { place: placeOf(place), is: { value: JSON.parse(value ?? 'null') } }
    })
}

/** @throws SyntaxError unless it is a tool and a path, as in `list_runs.runs[0].id`. */
export function placeOf(text: string): Place {
  const [, tool, rest] = /^([a-z_]+)([.[].+)$/.exec(text) ?? []
  if (tool === undefined || rest === undefined) throw new SyntaxError(`${text} is no place in an answer`)
  return { tool, path: pathOf(rest) }
}

/** The steps of `.runs[0].id` or `runs[state=FAILED].id`. */
export function pathOf(text: string): PathStep[] {
  const steps: PathStep[] = []
  const pattern = /\.?([A-Za-z_]\w*)|\[(-?\d+)\]|\[([A-Za-z_]\w*)=([^\]]*)\]/gy
  while (pattern.lastIndex < text.length) {
    const match = pattern.exec(text)
    if (match === null) throw new SyntaxError(`${text} is no path`)
    const [, field, index, where, is = ''] = match
    if (field !== undefined) steps.push({ field })
    else if (index !== undefined) steps.push({ index: Number(index) })
    else if (where !== undefined) steps.push({ where, is })
  }
  return steps
}

/** What is there; undefined when the answer has no such place. */
export function valueAt(answer: unknown, path: readonly PathStep[]): unknown {
  let value = answer
  for (const step of path) {
    if ('field' in step) value = record(value)?.[step.field]
    else if (!Array.isArray(value)) return undefined
    else if ('index' in step) value = value.at(step.index)
    else value = value.find((each) => String(record(each)?.[step.where]) === step.is)
  }
  return value
}

function record(value: unknown): Record<string, unknown> | undefined {
  return z.record(z.string(), z.unknown()).safeParse(value).data
}

/** A word in braces: `{repository}`, or `{list_runs.runs[0].id}`. */
const blank = /\{([a-z_]+(?:[.[][^{}\s]+)?)\}/g

/** What the blanks of a step name, in their order. */
export function blanksOf(step: GuideStep): string[] {
  const text = step.kind === 'shell' ? step.command : JSON.stringify(step.arguments)
  return [...text.matchAll(blank)].map((match) => match[1] ?? '')
}

/**
 * The same with its blanks filled in. A text that is nothing but a blank becomes the value itself, whatever its type; in a longer
 * one the value stands as text.
 * @throws whatever `valueOf` throws for what it does not know.
 */
export function filledIn<T>(template: T, valueOf: (name: string) => unknown): T
export function filledIn(template: unknown, valueOf: (name: string) => unknown): unknown {
  if (typeof template === 'string') {
    const whole = new RegExp(`^${blank.source}$`).exec(template)?.[1]
    if (whole !== undefined) return valueOf(whole)
    return template.replaceAll(blank, (_, name: string) => String(valueOf(name)))
  }
  if (Array.isArray(template)) return template.map((each: unknown) => filledIn(each, valueOf))
  if (typeof template === 'object' && template !== null) {
    return Object.fromEntries(Object.entries(template).map(([key, each]) => [key, filledIn(each, valueOf)]))
  }
  return template
}
