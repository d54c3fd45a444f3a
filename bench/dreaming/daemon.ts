import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Call, createClient, throwOnError } from '../support/client.ts'
import { start, stop } from '../support/daemon.ts'
import type { Turn } from './dataset.ts'

export interface GraphLines {
  readonly claims: readonly Readonly<Record<string, unknown>>[]
  readonly entities: readonly { readonly name: string; readonly type: string }[]
  readonly passMs: number
}

/** Enables Dreaming and gives the daemon to `measure`. */
export async function withDaemon(
  workspace: string,
  user: string,
  measure: (call: Call) => Promise<void>,
): Promise<void> {
  const memory = { dreaming: { enabled: true, user, tickMs: 3_600_000 } }
  await writeFile(join(workspace, 'agent.yaml'), JSON.stringify({ memory }))
  const { daemon } = await start(workspace)
  try {
    await measure(throwOnError(createClient(daemon.url)))
  } finally {
    await stop(daemon)
  }
}

/** Imports a corpus into an agent of its own and dreams until nothing is pending. */
export async function dreamCorpus(
  call: Call,
  corpus: string,
  turns: readonly Turn[],
): Promise<GraphLines> {
  await call('POST /api/agents', { name: corpus, read_policy: 'isolated' })
  const sources = new Map<string, Turn>()
  for (const turn of turns) {
    const { body } = await call('POST /api/memory/remember', toMemory(turn), corpus)
    sources.set(String(body['id']), turn)
  }
  const started = performance.now()
  await dreamUntilDone(call, corpus)
  const passMs = performance.now() - started
  return { ...(await readGraph(call, corpus, sources)), passMs }
}

function toMemory({ session, id, text, speaker, time, project }: Turn) {
  return {
    content: text,
    who: speaker,
    sourceId: `${session}/${id}`,
    sessionId: session,
    ...(project && { project }),
    ...(time !== null && { occurredAt: time, createdAt: time }),
  }
}

const maxPasses = 100
const pollMs = 50

async function dreamUntilDone(call: Call, agent: string): Promise<void> {
  for (let pass = 0; pass < maxPasses; pass++) {
    const { body } = await triggerPass(call, {}, agent)
    const id = String(body['passId'])
    await waitForPass(call, agent, id)
    const status = await call('GET /api/dream/status', undefined, agent)
    if (Number(status.body['episodicTokensPending']) === 0) return
  }
  throw new Error(`The backlog of ${agent} does not shrink.`)
}

/** A scheduled pass may run. */
export async function triggerPass(call: Call, body: object, agent?: string): ReturnType<Call> {
  for (;;)
    try {
      return await call('POST /api/dream/trigger', body, agent)
    } catch (error) {
      if (!String(error).includes('pass_running')) throw error
      await new Promise((resolve) => setTimeout(resolve, pollMs))
    }
}

async function waitForPass(call: Call, agent: string, id: string): Promise<void> {
  for (;;) {
    const { body } = await call(`GET /api/dream/passes/${id}`, undefined, agent)
    const pass = body['pass'] as { readonly status: string; readonly error: string | null }
    if (pass.status === 'failed') throw new Error(`Pass ${id} failed: ${pass.error}`)
    if (pass.status === 'completed') return
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
}

interface Named {
  readonly id: string
  readonly name: string
}

async function readGraph(call: Call, agent: string, sources: ReadonlyMap<string, Turn>) {
  const list = await call('GET /api/knowledge/navigation/entities?limit=500', undefined, agent)
  const entities = (
    list.body['items'] as { readonly entity: Named & { entityType: string } }[]
  ).map(({ entity }) => entity)
  const claims: Readonly<Record<string, unknown>>[] = []
  for (const entity of entities) {
    const path = `GET /api/knowledge/navigation/aspects?entity=${encodeURIComponent(entity.name)}`
    const { body } = await call(path, undefined, agent)
    for (const { aspect } of body['items'] as { readonly aspect: Named }[])
      claims.push(...(await readAspect(call, { agent, sources, entity, aspect })))
  }
  return { claims, entities: entities.map(({ name, entityType: type }) => ({ name, type })) }
}

interface AspectRequest {
  readonly agent: string
  readonly sources: ReadonlyMap<string, Turn>
  readonly entity: Named
  readonly aspect: Named
}

async function readAspect(call: Call, { agent, sources, entity, aspect }: AspectRequest) {
  const path = `GET /api/knowledge/entities/${entity.id}/aspects/${aspect.id}/attributes`
  const { body } = await call(`${path}?status=all&limit=500`, undefined, agent)
  const values = body['items'] as readonly Value[]
  return values.map((value) => ({
    entity: entity.name,
    aspect: aspect.name,
    key: value.claimKey,
    value: value.content,
    status: value.status,
    quotes: (value.proposalEvidence ?? []).flatMap(({ sourceId: id, quote }) => {
      const turn = sources.get(id)
      return turn ? [{ source: turn.id, quote }] : []
    }),
  }))
}

interface Value {
  readonly claimKey: string
  readonly content: string
  readonly status: string
  readonly proposalEvidence?: readonly { readonly sourceId: string; readonly quote: string }[]
}
