import { expect, test } from 'vitest'
import { filterProfile } from '../questions/filter-profile.ts'
import { readProfile } from '../read-profile.ts'
import { drawTree } from '../testing/draw-tree.ts'
import { sample } from '../testing/samples.ts'

const read = (text: string) => readProfile(new TextEncoder().encode(text))

const small = `panic: boom

goroutine 1 [running]:
main.(*Server).run(0xc0000377b8?, {0x557de0, 0x2})
	/src/server.go:142 +0x1b
main.main()
	/src/main.go:20 +0x22

goroutine 18 [chan receive, 5 minutes, locked to thread]:
main.work(0x1)
	/src/work.go:7 +0x1b fp=0xc00 sp=0xc01 pc=0x4b4edb
created by main.main in goroutine 1
	/src/main.go:12 +0x33

goroutine 19 [chan receive, 2 minutes]:
main.work(...)
	/src/work.go:7
created by main.main in goroutine 1
	/src/main.go:12 +0x33

goroutine 20 gp=0xc0000061c0 m=nil [select] {"tenant": "a"}:
main.work(0x1)
	/src/work.go:9 +0x1b
created by main.start
	/src/main.go:15 +0x33

goroutine 21 [running]:
	goroutine running on other thread; stack unavailable
created by main.main
	/src/main.go:16 +0x33
exit status 2
`

test('equal stacks are one, and goroutines are told apart by what they wait for', () => {
  const profile = read(small)
  expect(drawTree(profile)).toEqual([
    '(root) 5/1',
    'main.main 1/0',
    '  main.(*Server).run 1/1',
    'main.work 3/3',
  ])
  expect(profile).toMatchObject({
    format: 'goroutine_dump',
    sampleCount: 5,
    functions: { files: ['/src/server.go', '/src/main.go', '/src/work.go'] },
    warnings: ['1 goroutines have no stack.'],
  })
  const values = (name: string) =>
    profile.labels
      .find((label) => label.name === name)
      ?.values.map(({ value, weight }) => `${value}: ${weight}`)
  expect(values('state')).toEqual(['running: 2', 'chan receive: 2', 'select: 1'])
  expect(values('created_by')).toEqual(['main.main: 3', 'main.start: 1'])
  expect(values('wait_minutes')).toEqual(['5: 1', '2: 1'])
  expect(values('locked_to_thread')).toEqual(['true: 1'])
  expect(values('tenant')).toEqual(['a: 1'])
})

test('how long was waited adds up, in seconds', () => {
  const profile = read(small)
  expect(profile.sampleTypes[1]).toEqual({ type: 'wait', unit: 'seconds' })
  expect(drawTree(profile, 1).at(-1)).toBe('main.work 420/420')
})

test('a question can be about the goroutines in one state', () => {
  const { detail, ...profile } = read(small)
  const filtered = filterProfile(profile, detail, { labels: new Map([['state', 'select']]) })
  expect(drawTree(filtered).at(-1)).toBe('main.work 1/1')
})

test('the lines of a function where goroutines are, are told apart', () => {
  const { functions, nodes, detail } = read(small)
  const work = nodes.functionIndexes.findIndex((index) => functions.names[index] === 'main.work')
  const rows = detail!.lines!
  const found = [...rows.nodes.keys()].filter((row) => rows.nodes[row] === work)
  expect(found.map((row) => `${rows.lines[row]}: ${rows.selfValues[0]![row]}`)).toEqual(['7: 2', '9: 1'])
})

test('deep stacks that Go shortened are said to be', () => {
  const profile = read(
    'goroutine 1 [running]:\nmain.f(0x1)\n\t/src/a.go:1 +0x1\n...8 frames elided...\nmain.main()\n\t/src/a.go:9 +0x1\n',
  )
  expect(drawTree(profile)).toEqual(['main.main 1/0', '  main.f 1/1'])
  expect(profile.warnings).toEqual(['Go left out the middle of 1 deep stacks.'])
})

/** `go tool pprof -top` of the same moment, as protocol buffers: 67, of them 60 in main.receive, 5 in main.lockAndWait. */
test('a real dump has the numbers of go tool pprof', () => {
  const profile = readProfile(sample('goroutine_dump/go-goroutine.debug2.txt'))
  expect(profile.sampleCount).toBe(67)
  expect(profile.warnings).toEqual([])
  const tree = drawTree(profile)
  expect(tree).toContain('main.receive 60/60')
  expect(tree).toContain('main.lockAndWait 5/0')
  expect(
    profile.labels
      .find(({ name }) => name === 'state')!
      .values.map(({ value, weight }) => `${value}: ${weight}`),
  ).toEqual(['chan receive: 60', 'semacquire: 5', 'running: 1', 'sleep: 1'])
})
