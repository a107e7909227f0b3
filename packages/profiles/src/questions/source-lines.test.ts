import { expect, test } from 'vitest'
import { ProfileBuilder } from '../profile-builder.ts'
import type { ImportedProfile } from '../profile.ts'
import { readProfile } from '../read-profile.ts'
import { inOrder, parseTop } from '../testing/pprof-top.ts'
import { sample, sampleText } from '../testing/samples.ts'
import { FileNotFoundError, sourceLines } from './source-lines.ts'
import { topFunctions } from './top-functions.ts'

/** Stacks as `main@main.go:3;parse@parse.go:7 2`. */
function profileOfLines(text: string): ImportedProfile {
  const builder = new ProfileBuilder({
    format: 'pprof',
    sampleTypes: [{ type: 'samples', unit: 'count' }],
  })
  for (const row of text.trim().split('\n')) {
    const [, path = '', value = ''] = /^\s*(.*) (\d+)$/.exec(row) ?? []
    const frames = path.split(';').map((frame) => /^(.+)@(.+):(\d+)$/.exec(frame)!)
    builder.addStack(
      {
        functionIndexes: frames.map(([, name, file]) => builder.functions.intern(name!, file, 0)),
        lines: frames.map((frame) => Number(frame[3])),
        depth: frames.length,
      },
      [Number(value)],
    )
  }
  return builder.finish({ warnings: [] })
}

const draw = ({ detail, ...profile }: ImportedProfile, of: Parameters<typeof sourceLines>[2]) =>
  sourceLines(profile, detail, of).lines.map(
    ({ functionName, line, selfValue, totalValue }) => `${functionName}:${line} ${selfValue}/${totalValue}`,
  )

const profile = profileOfLines(`
  main@main.go:3;parse@parse.go:7;read@parse.go:20 2
  main@main.go:3;parse@parse.go:8 1
  main@main.go:5;parse@parse.go:7;read@parse.go:21 4
  main@main.go:9 1
`)

test('a line has what its function spent there, and what it called from there', () => {
  expect(draw(profile, { functionName: 'main' })).toEqual(['main:3 0/3', 'main:5 0/4', 'main:9 1/1'])
  expect(draw(profile, { functionName: 'parse' })).toEqual(['parse:7 0/6', 'parse:8 1/1'])
})

test('all functions of a file, by its whole path or its end', () => {
  const lines = ['parse:7 0/6', 'parse:8 1/1', 'read:20 2/2', 'read:21 4/4']
  expect(draw(profile, { file: 'parse.go' })).toEqual(lines)
  const deep = profileOfLines('main@/src/app/main.go:3 1')
  expect(draw(deep, { file: 'app/main.go' })).toEqual(['main:3 1/1'])
  expect(() => draw(deep, { file: 'pp/main.go' })).toThrow(FileNotFoundError)
})

test('recursion from one line counts once, exactly, wherever inner calls end', () => {
  // fib: line 2 decides, line 3 calls itself.
  const fib = profileOfLines(`
    fib@fib.go:3;fib@fib.go:3;fib@fib.go:2 5
    fib@fib.go:3;fib@fib.go:2 3
    fib@fib.go:2 1
    fib@fib.go:3 2
  `)
  expect(draw(fib, { functionName: 'fib' })).toEqual(['fib:2 9/9', 'fib:3 2/10'])
})

test('of some samples, the lines of a place are shared out as those of all are; where there is one, it has them', () => {
  const { detail, ...rest } = profileOfLines(`
    main@m.go:1;f@f.go:5;g@g.go:7 4
    main@m.go:1;f@f.go:6 2
    main@m.go:1;f@f.go:8 6
  `)
  const nodeOf = (name: string) => rest.nodes.functionIndexes.indexOf(rest.functions.names.indexOf(name))
  const kept = (values: Record<string, number>) => {
    const self = new Float64Array(rest.nodes.parents.length)
    for (const [name, value] of Object.entries(values)) self[nodeOf(name)] = value
    const { lines, isEstimate } = sourceLines(rest, detail, { functionName: 'f' }, { kept: self })
    return [...lines.map((row) => `${row.line} ${row.selfValue}/${row.totalValue}`), isEstimate]
  }
  expect(kept({ f: 8, g: 4 })).toEqual(['5 0/4', '6 2/2', '8 6/6', false])
  expect(kept({ f: 4, g: 1 })).toEqual(['5 0/1', '6 1/1', '8 3/3', true])
  expect(kept({ g: 1 })).toEqual(['5 0/1', '6 0/0', '8 0/0', true])
})

test('no line has more than its function, or less than itself, when it calls itself from several lines', () => {
  const { detail, ...rest } = profileOfLines(`
    f@f.go:1;f@f.go:1;f@f.go:3 4
    f@f.go:2;f@f.go:1;f@f.go:2 2
    f@f.go:2;g@f.go:9;f@f.go:3 3
    f@f.go:3 1
  `)
  const { lines, totalValue } = sourceLines(rest, detail, { functionName: 'f' })
  expect(lines).toHaveLength(3)
  for (const row of lines) {
    expect(row.totalValue).toBeLessThanOrEqual(totalValue)
    expect(row.totalValue).toBeGreaterThanOrEqual(row.selfValue)
  }
})

test('lines of a real Go profile, one of which calls itself, are those of `go tool pprof -top -lines`', () => {
  const { detail, ...go } = readProfile(sample('pprof/go-cpu.pb.gz'))
  const ours = [...new Set(go.functions.names)].flatMap((functionName) =>
    sourceLines(go, detail, { functionName }).lines.map((row) => ({
      function: `${row.functionName} ${row.file}:${row.line}`,
      flat: Math.round(row.selfValue),
      cum: Math.round(row.totalValue),
    })),
  )
  const theirs = parseTop(sampleText('pprof/go-cpu.lines.txt'))
  expect(theirs).toHaveLength(172)
  expect(inOrder(ours)).toEqual(inOrder(theirs))
})

test('lines of a real Go profile add up to their functions', () => {
  const { detail, ...go } = readProfile(sample('pprof/go-cpu.pb.gz'))
  for (const row of topFunctions(go, { by: 'total', limit: 20 })) {
    const { lines, selfValue, selfWithoutLine, knowsCallLines } = sourceLines(go, detail, {
      functionName: row.functionName,
    })
    expect(knowsCallLines).toBe(true)
    expect(lines.reduce((sum, line) => sum + line.selfValue, selfWithoutLine)).toBeCloseTo(selfValue, 3)
    expect(Math.max(...lines.map((line) => line.totalValue))).toBeLessThanOrEqual(row.totalValue + 1e-6)
  }
})

test('a format that does not tell lines of calls, or no lines at all, says so', () => {
  const { detail, ...node } = readProfile(sample('cpuprofile/node.cpuprofile'))
  const first = topFunctions(node, { by: 'self', limit: 50 }).find(({ file }) => file.endsWith('js'))
  const lines = sourceLines(node, detail, { functionName: first!.functionName })
  expect(lines.knowsCallLines).toBe(false)
  expect(lines.lines.length).toBeGreaterThan(0)

  const { detail: none, ...folded } = readProfile(new TextEncoder().encode('main;a 3\n'))
  expect(sourceLines(folded, none, { functionName: 'a' })).toMatchObject({
    lines: [],
    selfWithoutLine: 3,
    knowsCallLines: false,
  })
})
