import { parseDocument } from '@flamegate/loadtest'
import { expect, test } from 'vitest'
import type { Reading } from '../implement.ts'
import { Conflict, type DesignObject, type DesignStore, type NewDesignObject } from '../ports/index.ts'
import { addReportOfRun } from './add-report.ts'

/**
 * Designs as one project has them; `races` names are taken by others just before a report of that name is written. The run has actions
 * of these types.
 */
function designsWith(names: string[], races: string[] = [], types: string[] = ['http_request']) {
  const objects = new Map<string, Pick<NewDesignObject, 'id' | 'name' | 'document'>>()
  const taken = new Set(names)
  const designs: Partial<DesignStore> = {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nobody looks at more of it
    find: (_caller, id) => Promise.resolve(objects.get(id) as DesignObject | undefined),
    listNames: () => Promise.resolve(new Set(taken)),
    create: (_caller, _place, object) => {
      if (races.includes(object.name)) taken.add(object.name)
      if (taken.has(object.name)) return Promise.reject(new Conflict('name'))
      taken.add(object.name)
      objects.set(object.id, object)
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nobody looks at more of it
      return Promise.resolve(object as unknown as DesignObject)
    },
  }
  const benchRuns = { findPlan: () => Promise.resolve({ actions: types.map((type) => ({ type })) }) }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nothing else is asked
  const reading = { caller: {}, deps: { stores: { designs, benchRuns } } } as unknown as Reading
  return { reading, objects }
}

const run = {
  id: 'bnr_1',
  workspaceId: 'ws_1',
  projectId: 'prj_1',
  name: 'Checkout',
  benchReportId: 'rep_1',
}

test('a run gets the report that it names, of its own name', async () => {
  const { reading, objects } = designsWith([])
  await addReportOfRun(reading, run)
  expect(objects.get('rep_1')).toMatchObject({
    name: 'Checkout',
    document: { name: 'Checkout', bench_result_ids: ['bnr_1'] },
  })
})

async function itemTypesFor(actionTypes: string[]): Promise<string[]> {
  const { reading, objects } = designsWith([], [], actionTypes)
  await addReportOfRun(reading, run)
  return parseDocument('bench_report', objects.get('rep_1')?.document ?? {}).items.map(({ type }) => type)
}

test('with users who have a browser it shows web vitals, and else it does not', async () => {
  expect(await itemTypesFor(['http_request', 'page'])).toContain('web_vitals')
  expect(await itemTypesFor(['http_request'])).not.toContain('web_vitals')
})

test('a name that is taken is made free, also when it is taken just then', async () => {
  const { reading, objects } = designsWith(['Checkout'], ['Checkout (2)', 'Checkout (3)'])
  await addReportOfRun(reading, run)
  expect(objects.get('rep_1')?.name).toBe('Checkout (4)')
})

test('a start that is delivered twice makes one report', async () => {
  const { reading, objects } = designsWith([])
  await addReportOfRun(reading, run)
  await addReportOfRun(reading, run)
  expect([...objects.keys()]).toEqual(['rep_1'])
})

test('a run of before there were reports gets none', async () => {
  const { reading, objects } = designsWith([])
  await addReportOfRun(reading, { ...run, benchReportId: null })
  expect(objects.size).toBe(0)
})
