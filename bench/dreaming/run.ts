// usage: node bench/dreaming/run.ts DATASET.jsonl RUN.jsonl --in-process [--user NAME]
import { writeFileSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import { readTurns } from './dataset.ts'
import { dreamInProcess } from './rules.ts'

const [dataset, run, ...flags] = process.argv.slice(2)
if (!dataset || !run) throw new Error('usage: run.ts DATASET.jsonl RUN.jsonl --in-process')
const user = flags.includes('--user') ? (flags[flags.indexOf('--user') + 1] ?? '') : ''

const lines: string[] = []
for (const [corpus, turns] of readTurns(dataset)) {
  const start = performance.now()
  const { graph, skipped } = dreamInProcess(turns, user)
  const ms = performance.now() - start
  const summary = `${corpus}: ${turns.length} turns, ${graph.length} values, ${ms.toFixed(0)} ms`
  process.stdout.write(`${summary}, skipped ${JSON.stringify(skipped)}
`)
  for (const value of graph) lines.push(JSON.stringify({ kind: 'claim', corpus, ...value }))
  for (const [name, type] of new Map(graph.map((one) => [one.entity, one.type])))
    lines.push(JSON.stringify({ kind: 'entity', corpus, name, type }))
}
writeFileSync(run, `${lines.join('\n')}\n`)
