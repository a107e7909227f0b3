import { expect, test } from 'vitest'
import { functionPackage } from './function-package.ts'

test.each<[name: string, file: string, of: string]>([
  ['encoding/json.(*decodeState).object', 'encoding/json/decode.go', 'encoding/json'],
  ['github.com/x/y/z.(*T[a/b.C]).Do', '/mod/github.com/x/y@v1.2.3/z/do.go', 'github.com/x/y/z'],
  ['main.run', '/src/app/main.go', 'main'],
  ['java.util.HashMap.get', 'HashMap.java', 'java.util'],
  ['com.example.Type$Inner.method', 'Type.java', 'com.example'],
  ['serde_json::from_str', '/c/registry/src/i/serde_json-1.0.96/src/de.rs', 'serde_json@1.0.96'],
  ['core::iter::next', '/rustc/90c541806f23/library/core/src/iter/mod.rs', 'core'],
  ['<std::io::Stdin as Read>::read', '/rustc/90c541806f23/library/std/src/io.rs', 'std'],
  ['pad', '/app/node_modules/left-pad/index.js', 'left-pad'],
  ['readFileSync', 'node:fs', 'node:fs'],
  ['load', 'node:internal/modules/cjs/loader', 'node:internal/modules'],
  ['serve', 'file:///app/src/server.mjs', '/app/src'],
  ['dot', '/usr/lib/python3/dist-packages/numpy/core/multiarray.py', 'numpy'],
  ['loads', '/usr/lib/python3.11/json/__init__.py', 'json'],
  ['loads', '/usr/lib/python3.11/pickle.py', 'pickle'],
  ['do_syscall_64', '[kernel.kallsyms]', '[kernel.kallsyms]'],
  ['work', '', 'Unknown'],
])('%s in %s is of %s', (name, file, of) => {
  expect(functionPackage(name, file)).toBe(of)
})
