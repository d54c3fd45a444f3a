import { chmod, mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { sampleRounds } from '../support/load.ts'
import { removeFolder } from '../support/make-folder.ts'
import { startService } from '../support/start-service.ts'

const outside = await mkdtemp(join(tmpdir(), 'reverie-faults-'))
const seconds = '600.8245'
const fileCount = 300

/** A harness that starts a child and never ends. */
await mkdir(join(outside, 'bin'))
await writeFile(
  join(outside, 'bin', 'kimi'),
  `#!/bin/sh\nsleep ${seconds} & exec sleep ${seconds}\n`,
)
await chmod(join(outside, 'bin', 'kimi'), 0o755)

/** Two versions of a skill, each with its letter in all files. */
const letters = ['A', 'B']
for (const letter of letters) {
  const folder = join(outside, letter, 'dig')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'SKILL.md'), `---\nname: dig\ndescription: ${letter}\n---\n`)
  for (let number = 0; number < fileCount; number++)
    await writeFile(join(folder, `${number}.md`), letter)
}

const service = await startService({
  engine: 'sqlite',
  env: { PATH: `${join(outside, 'bin')}:/usr/bin:/bin` },
})
afterAll(async () => {
  await service.stop()
  await removeFolder(outside)
})

const ask = (call: string, body?: object) =>
  service.ask(call, { role: 'admin', ...(body && { body }) })
/** A call that a kill interrupts has no reply. */
const attempt = (call: string, body?: object) => ask(call, body).catch(() => undefined)

/** Switches a plugin until the daemon is gone. Returns the last reply and the last request. */
async function switchPlugin() {
  const seen = { acknowledged: true, sent: true }
  for (;;) {
    seen.sent = !seen.acknowledged
    const reply = await attempt('PATCH /api/plugins/svc.secrets', { enabled: seen.sent })
    if (reply?.status !== 200) return seen
    seen.acknowledged = seen.sent
  }
}

/** The letters of the installed skill; empty without one. */
async function readSkill(): Promise<readonly string[]> {
  const folder = join(service.workspace, 'skills', 'dig')
  const names = await readdir(folder).catch(() => [])
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
  if (names.length > 0) expect(names).toHaveLength(fileCount + 1)
  const found = texts.map(
    (text) => /description: (?<letter>\w)/.exec(text)?.groups?.['letter'] ?? text,
  )
  return [...new Set(found)]
}

async function listSleeps(): Promise<readonly string[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const read = ids.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => ''))
  return (await Promise.all(read)).filter((words) => words === `sleep\0${seconds}\0`)
}

async function createTask(): Promise<string> {
  const task = { name: 'night', prompt: 'go', cronExpression: '0 9 * * 1', harness: 'kimi' }
  return String((await ask('POST /api/tasks', task)).body['id'])
}

const killDelaysMs = sampleRounds([10, 25, 50, 75, 100, 150, 200, 300, 400, 600, 800, 1_200], 2)

test.runIf(process.platform === 'linux')(
  'a kill during a run, an installation and a change of plugins leaves no half of them',
  async () => {
    let installed: readonly string[] = []
    for (const [round, delayMs] of killDelaysMs.entries()) {
      const taskId = await createTask()
      await ask(`POST /api/tasks/${taskId}/run`)
      await expect.poll(async () => (await listSleeps()).length).toBe(2)
      const letter = letters[round % 2] ?? ''
      const source = join(outside, letter, 'dig')
      const installing = attempt('POST /api/skills/install', { name: 'dig', source })
      const switching = switchPlugin()
      await pause(delayMs)
      await service.kill()
      const [reply, plugin] = [await installing, await switching]
      await service.restart()

      expect(await listSleeps()).toEqual([])
      const { runs } = (await ask(`GET /api/tasks/${taskId}/runs`)).body
      expect(runs).toMatchObject([{ status: 'failed', error: 'daemon_restart' }])

      const now = await readSkill()
      expect(reply?.status === 200 ? [[letter]] : [[letter], installed]).toContainEqual(now)
      installed = now
      const skills = await readdir(join(service.workspace, 'skills')).catch(() => [])
      expect(skills).toEqual(now.length > 0 ? ['dig'] : [])
      const staging = await readdir(join(service.workspace, '.daemon'))
      expect(staging.filter((name) => name.startsWith('skill-install'))).toEqual([])

      const { enabled } = (await ask('GET /api/plugins/svc.secrets')).body
      expect([plugin.acknowledged, plugin.sent]).toContain(enabled)
      await ask('PATCH /api/plugins/svc.secrets', { enabled: true })
    }
  },
  300_000,
)
