import { Feed, type FeedGap, type FeedItem } from '../../kernel/feed/feed.ts'
import type { Host } from '../../kernel/host/host.ts'
import type { OutputStream, Run } from './task.ts'

interface RunEvent {
  readonly type: 'run-started' | 'run-output' | 'run-completed'
  readonly taskId: string
  readonly runId: string
  readonly timestamp: string
  readonly [field: string]: unknown
}

interface ActiveRun {
  readonly startEvent: RunEvent
  readonly chunks: { readonly stream: OutputStream; readonly chunk: string }[]
  readonly lengths: Record<OutputStream, number>
}

interface Channel {
  readonly feed: Feed<RunEvent>
  active: ActiveRun | undefined
}

export type LiveRuns = ReturnType<typeof createLiveRuns>

const retainedEvents = 1_000
/** Characters of a stream that a new follower receives. */
const maxReplay = 200_000
/** Tasks whose events are retained; the least recently started are dropped first. */
const maxChannels = 100

/** The events of the runs of this daemon, by task. */
export function createLiveRuns({ host }: { readonly host: Host }) {
  const channels = new Map<string, Channel>()
  const life = host.now().getTime().toString(36)

  const channelOf = (taskId: string): Channel => {
    const known = channels.get(taskId)
    if (known) return known
    const [oldest] = [...channels].find(([, { active }]) => !active) ?? []
    if (channels.size >= maxChannels && oldest !== undefined) channels.delete(oldest)
    const channel = {
      feed: new Feed<RunEvent>({ size: retainedEvents, life: `${life}${host.newId().slice(-6)}` }),
      active: undefined,
    }
    channels.set(taskId, channel)
    return channel
  }
  const stamp = () => host.now().toISOString()

  return {
    started: ({ id: runId, taskId, startedAt }: Run) => {
      const channel = channelOf(taskId)
      const started: RunEvent = {
        type: 'run-started',
        taskId,
        runId,
        startedAt,
        timestamp: stamp(),
      }
      channel.active = { startEvent: started, chunks: [], lengths: { stdout: 0, stderr: 0 } }
      channel.feed.add(started)
    },
    output: (
      { id: runId, taskId }: Pick<Run, 'id' | 'taskId'>,
      stream: OutputStream,
      chunk: string,
    ) => {
      const channel = channelOf(taskId)
      if (channel.active) retain(channel.active, stream, chunk)
      channel.feed.add({ type: 'run-output', taskId, runId, stream, chunk, timestamp: stamp() })
    },
    completed: ({ id: runId, taskId, status, completedAt, exitCode, error }: Run) => {
      const channel = channelOf(taskId)
      channel.active = undefined
      const timestamp = stamp()
      const result = { status, completedAt, exitCode, error }
      channel.feed.add({ type: 'run-completed', taskId, runId, ...result, timestamp })
    },
    /** The retained events of a task, the oldest first. */
    list: (taskId: string) => channelOf(taskId).feed.list(),
    deleted: (taskId: string) => channels.delete(taskId),
    /** The output of a run that is active here, so far. */
    findOutput: (runId: string) => {
      const { active } =
        [...channels.values()].find(({ active }) => active?.startEvent.runId === runId) ?? {}
      const textOf = (name: OutputStream) =>
        (active?.chunks ?? [])
          .filter(({ stream }) => stream === name)
          .map(({ chunk }) => chunk)
          .join('')
      return active && { stdout: textOf('stdout'), stderr: textOf('stderr') }
    },
    follow: (taskId: string, signal: AbortSignal, lastId?: string) =>
      follow(channelOf(taskId), { signal, lastId, taskId, stamp }),
  }
}

interface Following {
  readonly taskId: string
  readonly signal: AbortSignal
  readonly lastId: string | undefined
  stamp(): string
}

/** Yields `connected`, the active run unless the follower resumes, and then what happens. */
async function* follow(channel: Channel, { lastId, signal, stamp, taskId }: Following) {
  yield { data: { type: 'connected', taskId, timestamp: stamp() } }
  let [replay, events] = [lastId === undefined, channel.feed.follow(signal, lastId)]
  for (;;) {
    // The position and the replay are read together, so that nothing is lost or sent twice.
    if (replay) events = channel.feed.follow(signal)
    for (const data of replay ? listReplay(channel, stamp()) : []) yield { data }
    const end = yield* pass(events)
    if (end === 'closed') return
    replay = true
  }
}

async function* pass(events: AsyncIterable<FeedItem<RunEvent> | FeedGap>) {
  for await (const entry of events) {
    if ('isGap' in entry) return 'gap' as const
    yield { id: entry.id, data: entry.item }
  }
  return 'closed' as const
}

function listReplay({ active }: Channel, timestamp: string): readonly RunEvent[] {
  if (!active) return []
  const { startEvent: started, chunks } = active
  const { taskId, runId } = started
  const outputs = chunks.map((each) => ({
    type: 'run-output' as const,
    taskId,
    runId,
    ...each,
    timestamp,
  }))
  return [started, ...outputs]
}

/** Drops the oldest chunks of the stream. */
function retain(active: ActiveRun, stream: OutputStream, chunk: string): void {
  active.chunks.push({ stream, chunk })
  active.lengths[stream] += chunk.length
  while (active.lengths[stream] > maxReplay) {
    const oldest = active.chunks.findIndex((each) => each.stream === stream)
    const [removed] = active.chunks.splice(oldest, 1)
    active.lengths[stream] -= removed?.chunk.length ?? 0
  }
}
