// usage: node bench/inference/run.ts [seconds of the 16 streams]
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { parseConfig } from '../../src/capabilities/inference/config/parse-config.ts'
import { decide } from '../../src/capabilities/inference/decision/decide.ts'
import type { DaemonProcess } from '../../test/support/daemon-process.ts'
import { createClient } from '../support/client.ts'
import { inWorkspace, readCpuMs, readResidentMb, start, stop } from '../support/daemon.ts'
import { median } from '../support/timing.ts'

const seconds = Number(process.argv[2] ?? 70)
const rounds = 5
const calls = 200
const streams = 16
const longStream = '10000x0'
const pacedStream = '100x10'
const run = promisify(execFile)
const agent = new Agent({ keepAlive: true, maxSockets: 64 })
const print = (text: string) => process.stdout.write(`${text}\n`)
const format = (value: number, unit = 'ms') => `${value.toFixed(2)} ${unit}`

print('| measured | figure | target |\n|---|---|---|')
const row = (name: string, figure: string, target: string) =>
  print(`| ${name} | ${figure} | ${target} |`)
row('decision over 64 targets, median', format(timeDecision()), '≤ 1 ms')
const upstream = await startUpstream()
await inWorkspace(measureStart)
await inWorkspace(measureCalls)
upstream.stop()

async function startUpstream() {
  const path = new URL('./upstream.ts', import.meta.url).pathname
  const child = spawn(process.execPath, [path], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [port] = await once(createInterface(child.stdout), 'line')
  return { url: `http://127.0.0.1:${port}/v1`, stop: () => child.kill() }
}

function toTarget(model: string, endpoint: string) {
  return { executor: 'openai-compatible', endpoint, models: { m: { model } } }
}

function timeDecision(): number {
  const ids = Array.from({ length: 64 }, (_, index) => `t${index}`)
  const targets = Object.fromEntries(ids.map((id) => [id, toTarget('m', 'https://m.example/v1')]))
  const config = parseConfig({ section: { targets }, extraction: undefined })
  const state = () =>
    ({ available: true, health: 'healthy', circuitOpen: false, accountState: 'ready' }) as const
  const route = { operation: 'interactive', agentId: 'ann', promptPreview: 'Which one?' } as const
  const times = Array.from({ length: 2_000 }, () => {
    const started = performance.now()
    const { trace } = decide({ config, request: route, state, budgetBlocks: () => [] }).decision
    if (trace.candidates.length !== ids.length) throw new Error('Targets are missing.')
    return performance.now() - started
  })
  return median(times)
}

/** In turn, so that both see the same load of the machine. */
async function measureStart(workspace: string): Promise<void> {
  const without = { startMs: [] as number[], idleMb: [] as number[] }
  const targets = { a: toTarget('1x0', upstream.url) }
  const cases = [
    { section: {}, figures: without },
    { section: { targets }, figures: { startMs: [] as number[], idleMb: [] as number[] } },
  ]
  for (let round = -1; round < rounds; round++)
    for (const { section, figures } of cases) {
      await writeFile(join(workspace, 'agent.yaml'), JSON.stringify({ inference: section }))
      const { daemon, startMs } = await start(workspace)
      await pause(3_000)
      const idleMb = await readResidentMb(daemon)
      await stop(daemon)
      if (round < 0) continue
      figures.startMs.push(startMs)
      figures.idleMb.push(idleMb)
    }
  const compare = (key: 'startMs' | 'idleMb', unit: string) => {
    const [before = 0, after = 0] = cases.map(({ figures }) => median(figures[key]))
    const change = `${(100 * (after / before - 1)).toFixed(1)} %`
    return `${format(before, unit)} → ${format(after, unit)}, ${change}`
  }
  row('start, without → with a target', compare('startMs', 'ms'), '± 3 %')
  row('idle memory, without → with a target', compare('idleMb', 'MB'), '± 3 %')
}

async function measureCalls(workspace: string): Promise<void> {
  const models = { one: '1x0', long: longStream, paced: pacedStream }
  const targets = Object.fromEntries(
    Object.entries(models).map(([id, model]) => [id, toTarget(model, upstream.url)]),
  )
  const unlimited = { inferenceGateway: { windowMs: 60_000, max: 1_000_000 } }
  const settings = { inference: { targets }, auth: { rateLimits: unlimited } }
  await writeFile(join(workspace, 'agent.yaml'), JSON.stringify(settings))
  const { daemon } = await start(workspace)
  const gateway = `${daemon.url}/v1`
  for (const stream of [false, true]) {
    const [direct, over] = await timeBoth(gateway, stream)
    const name = stream ? 'overhead to the first token, p50' : 'overhead of a plain call, p50'
    const figure = `${format(direct)} → ${format(over)}, ${format(over - direct)} more`
    row(name, figure, stream ? '≤ 10 ms' : '≤ 8 ms')
  }
  await measureStreams(daemon, gateway)
  await measureLongStream(daemon, gateway)
  await stop(daemon)
}

/** Direct calls and calls over the gateway in turn; the first round is the warm-up. */
async function timeBoth(gateway: string, stream: boolean): Promise<readonly [number, number]> {
  const direct: number[] = []
  const over: number[] = []
  for (let round = -1; round < rounds; round++) {
    const pair = [
      await timeFirst(upstream.url, '1x0', stream),
      await timeFirst(gateway, 'one/m', stream),
    ] as const
    if (round < 0) continue
    direct.push(pair[0])
    over.push(pair[1])
  }
  return [median(direct), median(over)]
}

/** The median time to the first byte of the body. A plain reply has one. */
async function timeFirst(url: string, model: string, stream: boolean): Promise<number> {
  const times: number[] = []
  for (let number = 0; number < calls; number++) times.push(await call(url, model, stream))
  return median(times)
}

/** 16 streams at once for longer than the minute that the event-loop report covers. */
async function measureStreams(daemon: DaemonProcess, gateway: string): Promise<void> {
  const until = performance.now() + seconds * 1_000
  const client = async () => {
    while (performance.now() < until) await call(gateway, 'paced/m', true)
  }
  await Promise.all(Array.from({ length: streams }, client))
  const { body } = await createClient(daemon.url)('GET /health/live')
  const { p50, p99, max } = body['eventLoop'] as Readonly<Record<string, number>>
  const figure = `p50 ${p50} ms, p99 ${p99} ms, max ${max} ms`
  row(`event-loop delay, ${streams} streams of 100 chunks a second`, figure, 'p99 < 20 ms')
}

async function measureLongStream(daemon: DaemonProcess, gateway: string): Promise<void> {
  const seen = { idleMb: await readResidentMb(daemon), maxMb: 0, over: false }
  await call(gateway, 'long/m', true)
  const cpuMs = await readCpuMs(daemon)
  const watch = (async () => {
    for (; !seen.over; await pause(20)) {
      seen.maxMb = Math.max(seen.maxMb, await readResidentMb(daemon))
    }
  })()
  for (let round = 0; round < rounds; round++) await call(gateway, 'long/m', true)
  seen.over = true
  await watch
  const daemonMs = ((await readCpuMs(daemon)) - cpuMs) / rounds
  const script = new URL('./library-alone.ts', import.meta.url).pathname
  const { stdout } = await run(process.execPath, [script, upstream.url, longStream, `${rounds}`])
  const ratio = daemonMs / Number(stdout)
  const cpu = `${format(Number(stdout))} → ${format(daemonMs)}, ${ratio.toFixed(1)} ×`
  row('stream of 10,000 chunks: CPU, library alone → daemon', cpu, '≤ 3 ×')
  row('stream of 10,000 chunks: RSS growth', format(seen.maxMb - seen.idleMb, 'MB'), '< 30 MB')
}

/** Returns the time until the first byte of the body, in ms. */
async function call(url: string, model: string, stream: boolean): Promise<number> {
  const body = JSON.stringify({ model, stream, messages: [{ role: 'user', content: 'Count.' }] })
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const started = performance.now()
  let firstMs = Number.NaN
  request(`${url}/chat/completions`, { agent, method: 'POST', headers }, (reply) => {
    const { statusCode = 0 } = reply
    if (statusCode !== 200) reject(new Error(`${model} answered ${statusCode}`))
    reply.once('data', () => {
      firstMs = performance.now() - started
    })
    reply.on('end', () => resolve(firstMs)).resume()
  })
    .on('error', reject)
    .end(body)
  return await promise
}
