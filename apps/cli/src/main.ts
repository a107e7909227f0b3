#!/usr/bin/env node
import module from 'node:module'

// The code is compiled once, and not at each start. Node.js 20 has no such cache.
module.enableCompileCache?.()
const { processTerminal } = await import('./process-terminal.ts')
const { runCli } = await import('./run-cli.ts')

process.exitCode = await runCli(process.argv.slice(2), processTerminal())
