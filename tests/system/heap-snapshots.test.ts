import { readFileSync } from 'node:fs'
import { operations } from '@flamegate/contract'
import { beforeAll, expect, test } from 'vitest'
import { signUp, type Person } from './person.ts'
import { waitForTask } from './world.ts'

/** What a cache keeps, from two snapshots of a real program on: see `packages/profiles/samples/make-heapsnapshot.mjs`. */

let person: Person
let before: string
let after: string
let stacks: string

beforeAll(async () => {
  person = await signUp('Leaking')
  const { project } = await person.client.call(operations.createProject, {
    workspace_id: person.workspaceId,
    name: 'Heap snapshots',
  })
  const upload = async (fileName: string, content: string, encoding: 'text' | 'base64') => {
    const { profile_id: id, task_id: taskId } = await person.client.call(operations.createProfileUpload, {
      project_id: project.id,
      file_name: fileName,
      content,
      content_encoding: encoding,
    })
    await waitForTask(person, taskId)
    return id
  }
  before = await upload('before.heapsnapshot.gz', sample('before'), 'base64')
  after = await upload('after.heapsnapshot.gz', sample('after'), 'base64')
  stacks = await upload('stacks.txt', 'main;parse 3\n', 'text')
})

function sample(name: string): string {
  const folder = `${import.meta.dirname}/../../packages/profiles/samples/heapsnapshot`
  return readFileSync(`${folder}/node-${name}.heapsnapshot.gz`).toString('base64')
}

test('a snapshot is a heap profile, whose totals are retained sizes', async () => {
  const { profile } = await person.client.call(operations.getProfile, { profile_id: after })
  expect(profile).toMatchObject({ format: 'heapsnapshot', type: 'heap', default_sample_type: 'inuse_space' })
  const { functions } = await person.client.call(operations.analyzeProfile, {
    profile_id: after,
    sort_by: 'total',
    top_n: 50,
  })
  const { classes } = await person.client.call(operations.getHeapSnapshotClasses, {
    profile_id: after,
    top_n: 50,
  })
  for (const { class_name, shallow_size, retained_size } of classes) {
    expect(functions).toContainEqual(
      expect.objectContaining({
        function_name: class_name,
        self_value: shallow_size,
        total_value: retained_size,
      }),
    )
  }
})

test('what came since a baseline is told by class, what grew most first', async () => {
  const answer = await person.client.call(operations.getHeapSnapshotClasses, {
    profile_id: after,
    baseline_profile_id: before,
    top_n: 4,
  })
  expect(answer.classes[0]).toMatchObject({
    class_name: 'system / JSArrayBufferData',
    object_count: 250,
    retained_size: 256_000,
    change: { added_count: 200, added_size: 204_800, removed_count: 0, shallow_size: 204_800, is_new: false },
  })
  expect(answer.notes).toEqual([])
  const byCount = await person.client.call(operations.getHeapSnapshotClasses, {
    profile_id: after,
    sort_by: 'count',
    top_n: 3,
  })
  expect(byCount.classes.map((row) => [row.object_count, row.change])).toEqual([
    [252, null],
    [250, null],
    [250, null],
  ])
})

test('why an object lives is told reference by reference, to the global it hangs from', async () => {
  const answer = await person.client.call(operations.getHeapRetainers, {
    profile_id: after,
    class_name: 'Sessio',
    top_n: 1,
  })
  expect(answer).toMatchObject({ class_name: 'Session', object_count: 250, retained_size: 298_000 })
  const [session] = answer.objects
  expect(session!.paths[0]!.steps.map(({ edge_name, name }) => `${edge_name} of ${name}`).slice(1)).toEqual([
    'table of Map',
    'cache of Demo',
    'demo of global',
  ])
  const again = await person.client.call(operations.getHeapRetainers, {
    profile_id: after,
    object_id: session!.object_id,
  })
  expect(again.objects).toEqual(answer.objects)
})

test.each<[what: string, input: () => Parameters<typeof retainersOf>[0], message: string]>([
  ['neither a class nor an object', () => ({ profile_id: after }), 'Give either class_name or object_id.'],
  [
    'both of them',
    () => ({ profile_id: after, class_name: 'Map', object_id: 1 }),
    'Give either class_name or object_id.',
  ],
  [
    'a class that is not there',
    () => ({ profile_id: after, class_name: 'Nothing' }),
    'No class of this snapshot has that in its name.',
  ],
  [
    'a part of several names',
    () => ({ profile_id: after, class_name: 'system /' }),
    'classes have that in their names: system / ',
  ],
  [
    'an object that is not there',
    () => ({ profile_id: after, object_id: 2 }),
    'No object of this snapshot has that id.',
  ],
  [
    'another kind of profile',
    () => ({ profile_id: stacks, class_name: 'Map' }),
    'This profile is no V8 heap snapshot: it was read as collapsed.',
  ],
])('%s is refused', async (_what, input, message) => {
  expect(await retainersOf(input())).toContain(message)
})

async function retainersOf(input: {
  profile_id: string
  class_name?: string
  object_id?: number
}): Promise<string> {
  try {
    return JSON.stringify(await person.client.call(operations.getHeapRetainers, input))
  } catch (error) {
    return String(error)
  }
}
