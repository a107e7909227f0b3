/** What a command sees of the process it runs in, so that tests can be another one. */
export interface Terminal {
  env: Readonly<Record<string, string | undefined>>
  /** Working directory; files and git are looked for from here. */
  cwd: string
  stdin: AsyncIterable<Uint8Array>
  /** Whether somebody types at stdin, so that reading it would wait for ever. */
  isStdinTyped: boolean
  /** Whether stderr is watched by a person: progress is shown only then. */
  isInteractive: boolean
  /** Answers go here, each with a line end. */
  writeOut(text: string): void
  /** What another program prints, passed on as it is. */
  passOn(bytes: Uint8Array): void
  /** Refusals and progress go here, as they are. */
  writeError(text: string): void
  /** Another program that started this one, and shows progress itself; undefined when there is none. */
  tellParent?: (progress: string) => void
  /** Waits before something is tried again. */
  pause(ms: number): Promise<void>
}
