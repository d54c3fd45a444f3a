import { execFile, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { releaseBytes } from './release-memory.ts'

test('V8 detects an idle thread and collects its garbage', async () => {
  const flags = ['--trace-memory-reducer', '--gc-memory-reducer-start-delay-ms=10']
  const fixture = new URL('./release-memory.fixture.ts', import.meta.url)
  const thread = spawn(process.execPath, [...flags, fixture.pathname])
  onTestFinished(() => {
    thread.kill()
  })

  const output: string[] = []
  for await (const line of createInterface(thread.stdout)) {
    output.push(line)
    if (/low alloc|finished GC/.test(line)) break
  }
  expect(output.at(-1)).toContain('low alloc')
}, 60_000)

test('a heap contains less garbage with limited growth', async () => {
  const fixture = new URL('./heap-growth.fixture.ts', import.meta.url).pathname
  const measure = async (...args: readonly string[]) =>
    Number((await promisify(execFile)(process.execPath, [fixture, ...args])).stdout)

  expect(await measure('limited')).toBeLessThan(0.7 * (await measure()))
}, 60_000)

test('bytes are freed unless others share their memory', () => {
  const own = Buffer.allocUnsafeSlow(100)
  const shared = Buffer.from('abc').subarray(1)
  releaseBytes(own)
  releaseBytes(shared)

  expect(own.buffer).toMatchObject({ byteLength: 0, detached: true })
  expect(String(shared)).toBe('bc')
})
