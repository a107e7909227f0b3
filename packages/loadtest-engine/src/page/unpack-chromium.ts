// A program of its own: unpacks the packaged browser into the folder of `TMPDIR`, which is all that the package asks where to.
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import chromium, { inflate } from '@sparticuz/chromium'

const packageDir = dirname(dirname(fileURLToPath(import.meta.resolve('@sparticuz/chromium'))))
await Promise.all([
  chromium.executablePath(),
  // The few libraries that a small system lacks (NSS).
  inflate(join(packageDir, 'bin', 'al2023.tar.br')),
])
