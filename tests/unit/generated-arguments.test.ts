import { catalogue, inputSchemaOf } from '@flamegate/contract'
import { generateArguments } from '@flamegate/mcp-profiling'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { expect, test } from 'vitest'

const validator = new Ajv2020({ strict: false, ownProperties: true, formats: { base64: true } })
formats.default(validator)

test('generateArguments() makes valid arguments for every tool of our own', () => {
  expect(catalogue.length).toBeGreaterThan(100)
  const faults = catalogue.flatMap((operation) => {
    const validate = validator.compile(inputSchemaOf(operation))
    return [1, 2, 3].map((seed) => {
      const made = generateArguments(inputSchemaOf(operation), seed)
      if (made.outcome === 'impossible') return `${operation.id}: ${made.reason}`
      return validate(made.arguments) ? null : `${operation.id}: ${validator.errorsText(validate.errors)}`
    })
  })
  expect(faults.filter((fault) => fault !== null)).toEqual([])
})
