import { setTimeout as pause } from 'node:timers/promises'
import about from '../../package.json' with { type: 'json' }
import { makeUpdateLab } from '../../test/support/update-lab.ts'

/** Kills the daemon at moments spread over a whole update; afterwards a program and all memories remain. */
const rounds = Number(process.argv[2] ?? 30)
const [previous, next] = [about.version, '99.0.0'] as const

const lab = await makeUpdateLab()
const counts = { previous: 0, next: 0, lost: 0 }
try {
  const main = await lab.build(next)
  lab.registry.publish(next, await lab.pack(next, `import '${main}'\n`))
  const startedAt = performance.now()
  await lab.run({ targetVersion: next })
  const runMs = performance.now() - startedAt
  await lab.removeVersions()
  await lab.json(['restart'])
  for (let round = 0; round < rounds; round++) {
    const run = lab.run({ targetVersion: next }).catch(() => undefined)
    await pause((runMs * 1.1 * round) / rounds)
    await lab.kill()
    await run
    const version = (await lab.reverie(['--version'])).stdout.trim()
    await lab.start()
    const hasMemory = (await lab.recall()).includes('moss')
    if (version === next && hasMemory) counts.next++
    else if (version === previous && hasMemory) counts.previous++
    else counts.lost++
    await lab.reverie(['stop'])
    await lab.removeVersions()
    await lab.start()
  }
} finally {
  await lab.stop()
}
process.stdout.write(`${JSON.stringify({ rounds, ...counts })}\n`)
process.exitCode = counts.lost === 0 ? 0 : 1
