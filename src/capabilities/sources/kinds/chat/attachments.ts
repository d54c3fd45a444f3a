import { extname } from 'node:path'
import { Refusal } from '../../../../kernel/errors/refusal.ts'
import type { Outbound } from '../../../../kernel/outbound/outbound.ts'
import type { SyncContext } from '../kind.ts'
import { RemoteError } from '../remote-api.ts'
import type { Channel, ChannelRun } from './chat-run.ts'
import { toMessagePath } from './message-items.ts'
import type { Attachment, Message } from './messages.ts'

const textExtensions = new Set(
  'bash c cc cfg conf cpp cs css csv diff env go h hpp html ini java js json jsonl jsx kt log lua md markdown php pl py rb rs rst scala sh sql srt swift tex toml ts tsv tsx txt vtt xml yaml yml'
    .split(' ')
    .map((extension) => `.${extension}`),
)
const timeoutMs = 15_000

/** Saves the words of attachments that are text. One that cannot be read is its failure alone. */
export async function readAttachments(
  run: ChannelRun,
  channel: Channel,
  messages: readonly Message[],
): Promise<void> {
  if (!run.settings.includeAttachments || !run.settings.includeAttachmentText) return
  for (const message of messages)
    for (const attachment of message.attachments)
      if (isText(run, attachment)) await readAttachment(run, attachment, { channel, message })
}

function isText({ settings }: ChannelRun, { id, url, filename, size }: Attachment): boolean {
  const isComplete = id !== undefined && url !== undefined && size !== undefined
  const isSmall = isComplete && size <= settings.maxAttachmentTextBytes
  return isSmall && textExtensions.has(extname(filename).toLowerCase())
}

interface Place {
  readonly channel: Channel
  readonly message: Message
}

async function readAttachment(
  { context, fetchText }: ChannelRun,
  attachment: Attachment,
  { channel, message }: Place,
): Promise<void> {
  const { id = '', filename, size } = attachment
  const path = `${toMessagePath(channel, message.id)}/attachment/${id}/text`
  // A file never changes; its address does.
  const revision = `${id} ${size}`
  if (await context.isCurrent(path, revision)) return context.retain(path)
  try {
    const content = await fetchText(attachment)
    await context.save({
      path,
      parentPath: channel.path,
      type: 'attachment_text',
      title: `${filename} in #${channel.name}`,
      content,
      externalId: id,
      revision,
      capturedAt: message.timestamp,
      meta: { messageId: message.id },
    })
  } catch (error) {
    if (!(error instanceof RemoteError)) throw error
    await context.fail({ path, message: `${filename}: ${error.message}`, recoverable: true })
  }
}

interface TextNeeds {
  readonly outbound: Pick<Outbound, 'fetch'>
  /** `outbound.allow` */
  readonly allowedOrigins: () => readonly string[]
}

/** Reads files from the hosts of the service, and from allowed origins. The token is not sent. */
export function createFetchText(
  { outbound, allowedOrigins }: TextNeeds,
  { signal }: Pick<SyncContext, 'signal'>,
  maxBytes: number,
): ChannelRun['fetchText'] {
  return async ({ url = '' }) => {
    const parsed = URL.parse(url)
    const isOwn =
      parsed?.protocol === 'https:' && /(?:^|\.)discord(?:app)?\.(?:com|net)$/.test(parsed.hostname)
    if (!parsed || !(isOwn || allowedOrigins().includes(parsed.origin)))
      throw new RemoteError('The file stands on another host, which is not called.')
    try {
      const { status, body } = await outbound.fetch(url, { maxBytes, timeoutMs, signal })
      if (status >= 300) throw new RemoteError(`The file replied ${status}.`, status)
      return body.toString('utf8')
    } catch (error) {
      if (error instanceof Refusal) throw new RemoteError(`${error.code}: ${error.message}`)
      throw error
    }
  }
}
