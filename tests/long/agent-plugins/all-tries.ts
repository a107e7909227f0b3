import { claudeCodeTries } from './claude-code.ts'
import { codexTry } from './codex.ts'
import { geminiCliTry } from './gemini-cli.ts'
import { skillsInstallerTries } from './skills-installer.ts'
import type { Try } from './tries.ts'

/** In the order in which they are run and reported. */
export const allTries: readonly Try[] = [...claudeCodeTries, codexTry, geminiCliTry, ...skillsInstallerTries]
