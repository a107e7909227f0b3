#!/usr/bin/env node
import { processTerminal } from './process-terminal.ts'
import { runMcpProfiler } from './run-cli.ts'

process.exitCode = await runMcpProfiler(process.argv.slice(2), processTerminal())
