import { type JmxElement, textOf } from './jmx-element.ts'

/** Options of a sampler, or what HTTP Request Defaults around it say where it says nothing. */
export type Option = (name: string) => string

export function optionsOf(sampler: JmxElement, defaults: readonly JmxElement[]): Option {
  return (name) => {
    for (const { properties } of [sampler, ...defaults]) {
      const text = textOf(properties, `HTTPSampler.${name}`)
      if (text !== '') return text
    }
    return ''
  }
}

/** A time that JMeter is told in milliseconds; null where it is none, or 0, which means without end. */
export function milliseconds(text: string): number | null {
  const value = Number(text.trim())
  return text.trim() !== '' && Number.isInteger(value) && value > 0 ? Math.min(value, 3_600_000) : null
}
