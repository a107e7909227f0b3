import type { z } from 'zod'
import type { variable } from '../../model/variable.ts'

type Draft = z.input<typeof variable>

const firstNames = ['Ada', 'Alan', 'Barbara', 'Edsger', 'Grace', 'Katherine', 'Linus', 'Margaret']
const lastNames = ['Hamilton', 'Hopper', 'Johnson', 'Liskov', 'Lovelace', 'Torvalds', 'Turing']
// As in Postman, where each use gives another value.
const renewed = 'each_use'

/**
 * What the dynamic variables of Postman (https://learning.postman.com/docs/tests-and-scripts/write-scripts/variables-list/)
 * become; those that are not here become a random text.
 */
const makers: ReadonlyMap<string, (name: string) => Draft> = new Map<string, (name: string) => Draft>([
  ['$guid', (name) => ({ type: 'uuid', name, renewed })],
  ['$randomUUID', (name) => ({ type: 'uuid', name, renewed })],
  ['$timestamp', (name) => ({ type: 'date_time', name, format: 'unix', renewed })],
  ['$isoTimestamp', (name) => ({ type: 'date_time', name, format: 'iso', renewed })],
  ['$randomInt', number(0, 1000)],
  ['$randomBoolean', oneOf(['true', 'false'])],
  ['$randomAlphaNumeric', characters(1, 'abcdefghijklmnopqrstuvwxyz0123456789')],
  ['$randomHexaDecimal', characters(2, '0123456789abcdef')],
  ['$randomPassword', characters(15, 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789')],
  ['$randomAbbreviation', characters(3, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ')],
  ['$randomLatitude', number(-90, 90, 4)],
  ['$randomLongitude', number(-180, 180, 4)],
  ['$randomPrice', number(0, 1000, 2)],
  ['$randomBankAccount', characters(8, '0123456789')],
  ['$randomFirstName', oneOf(firstNames)],
  ['$randomLastName', oneOf(lastNames)],
])

/** Those of which the values are of another stock than Postman's. */
const approximate = new Set(['$randomFirstName', '$randomLastName', '$randomPassword'])

/** A variable of ours for one of Postman's, and how it differs. */
export function dynamicVariable(source: string, name: string): { document: Draft; note: string | null } {
  const make = makers.get(source)
  if (make === undefined)
    return {
      document: { type: 'random_text', name, length: 10, renewed },
      note: 'It is ten random letters and digits here: make it a list of what it stands for.',
    }
  return {
    document: make(name),
    note: approximate.has(source) ? 'Its values are others than those of Postman.' : null,
  }
}

function number(min: number, max: number, decimals = 0): (name: string) => Draft {
  return (name) => ({ type: 'random_number', name, min, max, decimals, renewed })
}

function characters(length: number, from: string): (name: string) => Draft {
  return (name) => ({ type: 'random_text', name, length, characters: from, renewed })
}

function oneOf(values: string[]): (name: string) => Draft {
  return (name) => ({ type: 'list', name, values, order: 'random', renewed })
}
