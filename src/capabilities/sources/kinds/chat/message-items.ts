import type { SourceItem } from '../kind.ts'
import type { Channel } from './chat-run.ts'
import { type Message, nameOf, renderEmbed, renderMessage, renderPoll } from './messages.ts'
import type { ChatSettings } from './settings.ts'

type Parts = Pick<ChatSettings, 'includeAttachments' | 'includeEmbeds' | 'includePolls'>

export const toMessagePath = ({ path }: Pick<Channel, 'path'>, id: string) =>
  `${path}/message/${id}`

interface ItemOptions {
  readonly parts: Parts
  /** False for messages whose words the item of their day holds. */
  readonly isSearchable: boolean
}

/** A message and its parts: files, embeds, a poll, mentions and its last edit. */
export function toMessageItems(
  channel: Channel,
  one: Message,
  { parts, isSearchable }: ItemOptions,
): readonly SourceItem[] {
  const content = renderMessage(one, parts)
  if (content === '') return []
  const path = toMessagePath(channel, one.id)
  const day = one.timestamp.slice(0, 10)
  const message: SourceItem = {
    path,
    parentPath: channel.path,
    type: 'message',
    title: `#${channel.name} on ${day}`,
    content,
    externalId: one.id,
    capturedAt: one.timestamp,
    isSearchable,
    revision: revisionOf(one),
  }
  const toPart = ({ at, type, title, content, externalId }: Part): SourceItem => ({
    path: `${path}/${at}`,
    parentPath: path,
    type,
    title: title.trim() || `${type} in #${channel.name}`,
    content: content.trim() || title,
    externalId,
    capturedAt: one.timestamp,
    isSearchable: false,
  })
  return [message, ...listParts(one, parts).map(toPart)]
}

/** Changes with each edit. */
export const revisionOf = ({ edited_timestamp: editedAt }: Message) => editedAt ?? 'first'

interface Part {
  /** The path below the message. */
  readonly at: string
  readonly type: string
  readonly title: string
  readonly content: string
  readonly externalId?: string | undefined
}

function listParts(one: Message, parts: Parts): readonly Part[] {
  return [
    ...(parts.includeAttachments ? listFiles(one) : []),
    ...(parts.includeEmbeds ? listEmbeds(one) : []),
    ...(parts.includePolls ? listPolls(one) : []),
    ...listMentions(one),
    ...listEvents(one),
  ]
}

const listFiles = ({ attachments }: Message): Part[] =>
  attachments.flatMap(({ id, filename, description }) =>
    id === undefined
      ? []
      : [
          {
            at: `attachment/${id}`,
            type: 'attachment',
            title: filename,
            content: description ? `${filename}\n${description}` : filename,
            externalId: id,
          },
        ],
  )

const listEmbeds = ({ embeds }: Message): Part[] =>
  embeds.map((embed, number) => ({
    at: `embed/${number + 1}`,
    type: 'embed',
    title: embed.title || embed.url || 'Embed',
    content: renderEmbed(embed),
  }))

const listPolls = ({ poll }: Message): Part[] =>
  poll
    ? [{ at: 'poll', type: 'poll', title: poll.question.text || 'Poll', content: renderPoll(poll) }]
    : []

const listMentions = ({ mentions }: Message): Part[] =>
  mentions.map((user) => ({
    at: `mention/${user.id}`,
    type: 'mention',
    title: `@${nameOf(user)}`,
    content: `@${nameOf(user)} is mentioned.`,
    externalId: user.id,
  }))

const listEvents = ({ id, edited_timestamp: editedAt }: Message): Part[] =>
  editedAt
    ? [
        {
          at: 'event/edited',
          type: 'message_event',
          title: 'Edited message',
          content: `The message ${id} was edited at ${editedAt}.`,
          externalId: id,
        },
      ]
    : []
