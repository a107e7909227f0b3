import { z } from 'zod'

/** With what a server is run or asked otherwise than it is: a file of `ab-test --optimization-config`. */
export const serverSettings = z.strictObject({
  name: z.string().min(1).optional().describe('What it is called in the answer.'),
  env: z.record(z.string(), z.string()).default({}).describe('Variables of its environment.'),
  runtimeFlags: z
    .array(z.string())
    .default([])
    .describe('Put behind the program, before its arguments, such as --max-semi-space-size=64 of node.'),
  args: z.array(z.string()).default([]).describe('Put behind its arguments.'),
  headers: z.record(z.string(), z.string()).default({}).describe('Sent with each request to a URL.'),
  concurrent: z.int().min(1).max(10_000).optional().describe('Calls at a time.'),
})
export type ServerSettings = z.infer<typeof serverSettings>

/** The settings, or every fault in words. */
export type ReadServerSettings =
  | { outcome: 'read'; settings: ServerSettings }
  | { outcome: 'faulty'; faults: string[] }

export function readServerSettings(json: unknown): ReadServerSettings {
  const read = serverSettings.safeParse(json)
  if (!read.success) {
    const there = Object.keys(serverSettings.shape).join(', ')
    return {
      outcome: 'faulty',
      faults: read.error.issues.map((issue) =>
        issue.code === 'unrecognized_keys'
          ? `${issue.keys.join(', ')} is no setting. There are: ${there}.`
          : `${issue.path.map(String).join('.') || 'the file'}: ${issue.message}`,
      ),
    }
  }
  const { name: _name, ...changes } = read.data
  const isAnything = Object.values(changes).some(
    (value) => value !== undefined && Object.keys(Object(value)).length > 0,
  )
  if (isAnything || read.data.concurrent !== undefined) return { outcome: 'read', settings: read.data }
  return {
    outcome: 'faulty',
    faults: ['It changes nothing: give env, runtimeFlags, args, headers or concurrent.'],
  }
}
