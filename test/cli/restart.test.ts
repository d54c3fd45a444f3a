import { expect, test } from 'vitest'
import { createCliWorkspace } from '../support/cli-workspace.ts'

test('restart replaces the daemon of a workspace, and starts one where none runs', async () => {
  const { run, runWith } = await createCliWorkspace()
  const restart = async () => {
    const { stdout, stderr } = await runWith(['restart', '--json'], { SVC_PORT: '0' })
    expect(stderr).toBe('')
    return JSON.parse(stdout) as { pid: number; url: string; status: string }
  }

  const first = await restart()
  expect(first.status).toBe('started')
  await runWith(['remember', 'kept over a restart'], {})
  const second = await restart()

  expect(second.status).toBe('started')
  expect(second.pid).not.toBe(first.pid)
  expect(() => process.kill(first.pid, 0)).toThrow('ESRCH')
  expect(JSON.parse((await run('status', '--json')).stdout)).toMatchObject({ pid: second.pid })
  expect((await run('list')).stdout).toContain('kept over a restart')
})
