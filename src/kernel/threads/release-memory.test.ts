import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'

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
