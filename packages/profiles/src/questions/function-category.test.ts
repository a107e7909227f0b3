import { expect, test } from 'vitest'
import { functionCategory } from './function-category.ts'

test.each<[category: string | undefined, name: string, file: string]>([
  ['Garbage collection', 'runtime.gcBgMarkWorker', 'runtime/mgc.go'],
  ['Garbage collection', 'runtime.scanobject', '/usr/local/go/src/runtime/mgcmark.go'],
  ['Garbage collection', 'runtime.(*gcWork).tryGet', 'runtime/mgcwork.go'],
  ['Memory allocation', 'runtime.mallocgc', 'runtime/malloc.go'],
  ['Memory allocation', 'runtime.growslice', 'runtime/slice.go'],
  ['Locks', 'sync.(*Mutex).lockSlow', 'sync/mutex.go'],
  ['Locks', 'runtime.chanrecv1', 'runtime/chan.go'],
  ['Idle', 'runtime.findRunnable', 'runtime/proc.go'],
  ['I/O', 'internal/poll.(*FD).Read', 'internal/poll/fd_unix.go'],
  ['System calls', 'syscall.Syscall6', 'syscall/syscall_linux.go'],
  ['Serialization', 'encoding/json.(*decodeState).object', 'encoding/json/decode.go'],
  [undefined, 'main.gcd', 'main.go'],
  [undefined, 'main.serialize', 'main.go'],
  [undefined, 'runtime.memmove', 'runtime/memmove_amd64.s'],

  ['Garbage collection', '(garbage collector)', ''],
  ['Idle', '(idle)', ''],
  ['I/O', 'readFileSync', 'node:fs'],
  ['I/O', 'readFileHandle', 'node:internal/fs/promises'],
  ['I/O', 'writeUtf8String', ''],
  ['Compilation', 'wrapSafe', 'node:internal/modules/cjs/loader'],
  ['Compilation', 'V8.CompileCode', ''],
  ['Serialization', 'JSON.parse', ''],
  ['Serialization', 'decode', '/app/node_modules/protobufjs/src/reader.js'],
  [undefined, '(program)', ''],
  [undefined, 'read', 'file:///app/src/reader.js'],
  [undefined, 'compile', 'file:///app/src/template.js'],
  [undefined, 'lock', '/app/src/door.js'],

  ['Garbage collection', 'G1ParScanThreadState::trim_queue', '/usr/lib/jvm/lib/server/libjvm.so'],
  ['Compilation', 'CompileBroker::compiler_thread_loop', ''],
  ['Locks', 'java.util.concurrent.locks.LockSupport.park', 'LockSupport.java'],
  ['Idle', 'java.lang.Thread.sleep', 'Thread.java'],
  ['I/O', 'sun.nio.ch.EPoll.wait', 'EPoll.java'],
  ['Serialization', 'com.fasterxml.jackson.databind.ObjectMapper.readValue', 'ObjectMapper.java'],
  [undefined, 'Parser::parse', ''],
  [undefined, 'com.example.Lock.open', 'Lock.java'],

  ['Garbage collection', 'gc_collect_main', '/usr/bin/python3.11'],
  ['Locks', 'take_gil', '/usr/lib/libpython3.11.so.1.0'],
  ['Locks', "<method 'acquire' of '_thread.lock' objects>", '~'],
  ['I/O', '<built-in method posix.read>', '~'],
  ['Serialization', 'raw_decode', '/usr/lib/python3.11/json/decoder.py'],
  [undefined, '<module>', '/usr/lib/python3.11/json/decoder.py'],
  ['Idle', '<built-in method time.sleep>', '~'],
  ['Garbage collection', '(marking)', ''],
  ['I/O', 'IO#read', '<cfunc>'],
  ['Serialization', 'JSON.parse', '<cfunc>'],

  ['Memory allocation', '_int_malloc', '/lib/x86_64-linux-gnu/libc.so.6'],
  ['Memory allocation', 'operator new(unsigned long)', '/usr/lib/libstdc++.so.6'],
  ['Locks', 'pthread_mutex_lock', '/lib/x86_64-linux-gnu/libc.so.6'],
  ['I/O', 'read', '/lib/x86_64-linux-gnu/libc.so.6'],
  ['I/O', '__libc_write', ''],
  [undefined, 'read', ''],
  ['Locks', 'futex_wait_queue_me', '[kernel.kallsyms]'],
  ['I/O', 'tcp_sendmsg_[k]', ''],
  ['Memory allocation', 'clear_page_erms', '[kernel.kallsyms]'],
  ['System calls', 'do_syscall_64', '[kernel.kallsyms]'],
  ['System calls', 'system_call_fastpath_[k]', ''],
  ['Idle', 'intel_idle', '[kernel.kallsyms]'],
])('%s: %s in %s', (category, name, file) => {
  expect(functionCategory(name, file)).toBe(category)
})

test('a name that somebody made up takes no time', () => {
  const begin = process.threadCpuUsage()
  for (const start of ['runtime.', 'java.util.', '<built-in method ', '__x64_sys_', 'V8.', 'G1', ''])
    functionCategory(start + 'gc_a.'.repeat(100_000), 'lib/'.repeat(100_000))
  expect(process.threadCpuUsage(begin).user / 1000).toBeLessThan(1000)
})
