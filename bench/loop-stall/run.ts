// usage: node bench/loop-stall/run.ts [rounds]
import { setTimeout as pause } from 'node:timers/promises'
import { launchDaemon } from '../../test/support/daemon-process.ts'
import { createClient, throwOnError } from '../support/client.ts'
import { inWorkspace, stop } from '../support/daemon.ts'
import { readMaxBlockMs, watchLoop } from '../support/max-block.ts'
import { createRows } from '../support/rows.ts'

const rounds = Number(process.argv[2] ?? 8)
const characters = 4_100_000
const settleMs = 1_500
const rows = createRows()
const print = (text: string) => process.stdout.write(`${text}\n`)

await inWorkspace(async (workspace) => {
  const daemon = await launchDaemon({ workspace, env: watchLoop })
  const call = throwOnError(createClient(daemon.url))
  const hook = (name: string, sessionKey: string, more: object) =>
    call(`POST /api/hooks/${name}`, { harness: 'bench', sessionKey, project: '/p', ...more })
  const operations: Readonly<Record<string, (round: number) => Promise<unknown>>> = {
    'a prompt of a short session': (round) =>
      hook('user-prompt-submit', `short${round}`, { userMessage: rows.question(round) }),
    'a checkpoint of 4 MiB': (round) =>
      hook('session-checkpoint-extract', `long${round}`, { transcript: conversation(round) }),
    'a prompt of that session': (round) =>
      hook('user-prompt-submit', `long${round}`, { userMessage: rows.question(round) }),
    'its transcript': (round) => call(`GET /api/sessions/long${round}/transcript`),
    'its end and capture': (round) => hook('session-end', `long${round}`, {}),
    'an end with 4 MiB of records': (round) =>
      hook('session-end', `records${round}`, { transcript: records(round) }),
  }
  const blocksMs = new Map(Object.keys(operations).map((name) => [name, [] as number[]]))
  for (let round = -1; round < rounds; round++)
    for (const [name, operate] of Object.entries(operations)) {
      await readMaxBlockMs(daemon)
      await operate(round)
      await pause(settleMs)
      const maxBlockMs = await readMaxBlockMs(daemon)
      // The first round warms up the compiler.
      if (round >= 0) blocksMs.get(name)?.push(maxBlockMs)
    }
  print(`# Longest event-loop block in ms, ${rounds} rounds\n`)
  print('| operation | min | median |\n|---|---|---|')
  for (const [name, all] of blocksMs) {
    const ordered = all.toSorted((a, b) => a - b)
    const [min, median] = [ordered[0], ordered[Math.floor(rounds / 2)]]
    print(`| ${name} | ${min?.toFixed(1)} | ${median?.toFixed(1)} |`)
  }
  await stop(daemon)
})

function* turns(round: number): Generator<string> {
  for (let length = 0, number = round * 1e5; length < characters; number++) {
    const text = `${rows.content(number)} said number ${number}.`
    length += text.length + 12
    yield text
  }
}

function conversation(round: number): string {
  return [...turns(round)]
    .map((text, index) => `${index % 2 ? 'Assistant' : 'User'}: ${text}`)
    .join('\n')
}

function records(round: number): string {
  return [...turns(round)]
    .map((content, index) => JSON.stringify({ role: index % 2 ? 'assistant' : 'user', content }))
    .join('\n')
}
