import { existsSync } from 'node:fs'

/** Where Debian's package `libfaketime` puts it; elsewhere it is named by a variable. */
const places = [
  process.env['FLAMEGATE_TEST_LIBFAKETIME'],
  `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu/faketime/libfaketimeMT.so.1`,
]

/** libfaketime, which sets the clock of one process; undefined where it is not installed. */
export function findFaketime(): string | undefined {
  return places.find((place) => place !== undefined && existsSync(place))
}

/** What a process is started with whose clock is to be what a file says. Timers go on as they do. */
export function clockSettings(library: string, file: string): Record<string, string> {
  return {
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_CACHE_DURATION: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    DONT_FAKE_MONOTONIC: '1',
  }
}
