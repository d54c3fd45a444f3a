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

/** The number of bytes that a fixture measures. */
async function measure(fixture: URL, ...args: readonly string[]): Promise<number> {
  // Parallel collection depends on the load of the machine.
  const flags = ['--max-semi-space-size=8', '--single-threaded-gc']
  const words = [...flags, fixture.pathname, ...args]
  return Number((await promisify(execFile)(process.execPath, words)).stdout)
}

test('a heap contains less garbage with limited growth', async () => {
  const fixture = new URL('./heap-growth.fixture.ts', import.meta.url)
  expect(await measure(fixture, 'limited')).toBeLessThan(0.7 * (await measure(fixture)))
}, 60_000)

test('a thread has its own limit of the young generation', async () => {
  const fixture = new URL('./young-generation.fixture.ts', import.meta.url)
  // During a collection it also has pages that are being replaced. Without a limit it has 40 MB.
  expect(await measure(fixture, 'limited')).toBeLessThan(8_000_000)
}, 60_000)

test('bytes are freed unless others share their memory', () => {
  const own = Buffer.allocUnsafeSlow(100)
  const shared = Buffer.from('abc').subarray(1)
  releaseBytes(own)
  releaseBytes(shared)

  expect(own.buffer).toMatchObject({ byteLength: 0, detached: true })
  expect(String(shared)).toBe('bc')
})
