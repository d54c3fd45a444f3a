// usage: node bench/dreaming/run.ts DATASET.jsonl RUN.jsonl [--in-process [--people]] [--user NAME]
import { writeFileSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import { inWorkspace } from '../support/daemon.ts'
import { dreamCorpus, withDaemon } from './daemon.ts'
import { readTurns } from './dataset.ts'
import { dreamInProcess } from './rules.ts'

const [dataset, run, ...flags] = process.argv.slice(2)
if (!dataset || !run)
  throw new Error('usage: run.ts DATASET.jsonl RUN.jsonl [--in-process [--people]] [--user NAME]')
const user = flags.includes('--user') ? (flags[flags.indexOf('--user') + 1] ?? '') : ''
const lines: string[] = []
if (flags.includes('--in-process')) runInProcess(dataset)
else await runDaemon(dataset)
writeFileSync(run, `${lines.join('\n')}\n`)

function add(corpus: string, kind: 'claim' | 'entity', item: object): void {
  lines.push(JSON.stringify({ kind, corpus, ...item }))
}

/** The rules alone: no daemon, no database. */
function runInProcess(path: string): void {
  for (const [corpus, turns] of readTurns(path)) {
    const start = performance.now()
    const { graph, skipped } = dreamInProcess(turns, { user, people: flags.includes('--people') })
    report(corpus, turns.length, graph.length, performance.now() - start)
    process.stdout.write(`  skipped ${JSON.stringify(skipped)}\n`)
    for (const value of graph) add(corpus, 'claim', value)
    for (const [name, type] of new Map(graph.map((one) => [one.entity, one.type])))
      add(corpus, 'entity', { name, type })
  }
}

/** The whole product: import, passes and graph over HTTP. */
async function runDaemon(path: string): Promise<void> {
  await inWorkspace((workspace) =>
    withDaemon(workspace, user, async (call) => {
      for (const [corpus, turns] of readTurns(path)) {
        const { claims, entities, passMs } = await dreamCorpus(call, corpus, turns)
        report(corpus, turns.length, claims.length, passMs)
        for (const claim of claims) add(corpus, 'claim', claim)
        for (const entity of entities) add(corpus, 'entity', entity)
      }
    }),
  )
}

function report(corpus: string, turns: number, values: number, ms: number): void {
  process.stdout.write(`${corpus}: ${turns} turns, ${values} values, ${ms.toFixed(0)} ms\n`)
}
