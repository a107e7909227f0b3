import { runCli } from '../run-cli.ts'
import { programEnv } from './program-env.ts'

export interface Outcome {
  exitCode: number
  out: string
  error: string
}

/** Runs a command line as somebody with a token would, outside of any CI. */
export async function runForTest(
  args: readonly string[],
  options: {
    url?: string
    env?: Readonly<Record<string, string>>
    cwd?: string
    stdin?: string
    isInteractive?: boolean
  } = {},
): Promise<Outcome> {
  const outcome: Outcome = { exitCode: 0, out: '', error: '' }
  outcome.exitCode = await runCli(args, {
    env: {
      NODE_COMPILE_CACHE: programEnv.NODE_COMPILE_CACHE,
      FLAMEGATE_TOKEN: 'fg_test',
      ...(options.url === undefined ? {} : { FLAMEGATE_URL: options.url }),
      ...options.env,
    },
    // A folder that is in no checkout.
    cwd: options.cwd ?? '/',
    stdin: chunksOf(options.stdin ?? ''),
    isStdinTyped: options.stdin === undefined,
    isInteractive: options.isInteractive === true,
    writeOut: (text) => (outcome.out += `${text}\n`),
    passOn: (bytes) => (outcome.out += Buffer.from(bytes).toString()),
    writeError: (text) => (outcome.error += text),
    pause: () => Promise.resolve(),
  })
  return outcome
}

async function* chunksOf(text: string): AsyncGenerator<Uint8Array> {
  if (text !== '') yield Promise.resolve(Buffer.from(text))
}
