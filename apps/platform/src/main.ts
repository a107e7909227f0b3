import { inspect } from 'node:util'
import {
  createLogger,
  installShutdown,
  isForOperator,
  readConfig,
  type ShutdownStep,
} from '@flamegate/runtime'
import { platformConfig } from './platform-config.ts'
import { startPlatform } from './platform.ts'

// What `npm start` runs: the whole platform as one tree of processes on an embedded PostgreSQL.
function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

try {
  const config = readConfig(platformConfig, process.env)
  const log = createLogger({ level: config.FLAMEGATE_LOG_LEVEL, format: config.FLAMEGATE_LOG_FORMAT })
  // Filled while starting, so that Ctrl-C in the middle of it stops what is there by then.
  const steps: ShutdownStep[] = []
  const shutdown = installShutdown({
    log,
    steps,
    deadlineMs: config.FLAMEGATE_DRAIN_SECONDS * 1_000 + 15_000,
  })
  try {
    const platform = await startPlatform(config, log, say, steps, shutdown.signal)
    say('')
    say(`Flamegate is ready at ${platform.url}`)
    say('')
    say(`  Log in         ${platform.demo.email}   password ${platform.demo.password}`)
    say(`  MCP endpoint   ${platform.mcpUrl}`)
    say(`  Connect        ${platform.url}/connect`)
    say(`  API reference  ${platform.url}/v1/docs`)
    say(`  Documentation  ${platform.url}/docs`)
    say('')
    say('Ctrl-C stops it.')
  } catch (error) {
    // What is stopped in the middle of a start fails at something or other.
    if (!shutdown.signal.aborted) complain(error)
    await shutdown.stop('failed start', 1)
  }
} catch (error) {
  complain(error)
  process.exitCode = 1
}

/** Errors that tell the person what to do are shown without a stack. */
function complain(error: unknown): void {
  process.stderr.write(`\n${isForOperator(error) ? error.message : inspect(error)}\n`)
}
