import { z } from 'zod'
import type { ChatSettings } from './settings.ts'

export const snowflake = z.string().regex(/^\d{1,20}$/)

const user = z.looseObject({
  id: snowflake,
  username: z.string().default(''),
  global_name: z.string().nullish(),
})

export const message = z.looseObject({
  id: snowflake,
  content: z.string().default(''),
  timestamp: z.string(),
  edited_timestamp: z.string().nullish(),
  author: user.optional(),
  mentions: z.array(user).default([]),
  attachments: z
    .array(
      z.looseObject({
        id: snowflake.optional(),
        filename: z.string(),
        description: z.string().nullish(),
        size: z.number().optional(),
        url: z.string().optional(),
      }),
    )
    .default([]),
  embeds: z
    .array(
      z.looseObject({
        title: z.string().nullish(),
        description: z.string().nullish(),
        url: z.string().nullish(),
      }),
    )
    .default([]),
  poll: z
    .looseObject({
      question: z.looseObject({ text: z.string().nullish() }),
      answers: z
        .array(z.looseObject({ poll_media: z.looseObject({ text: z.string().nullish() }) }))
        .default([]),
    })
    .nullish(),
})
export type Message = z.output<typeof message>
export type Attachment = Message['attachments'][number]

/** Milliseconds of the first id, the epoch of the ids. */
const epochMs = 1_420_070_400_000n

const timeOf = (id: string) => (BigInt(id) >> 22n) + epochMs

/** The last id before the day of an id, so that a run reads whole days after it. */
export const lastIdBefore = (id: string) => lastIdBeforeDay(dayOfId(id))

export function lastIdBeforeDay(day: string): string {
  const startMs = BigInt(Date.parse(`${day}T00:00:00.000Z`))
  return String(startMs > epochMs ? ((startMs - epochMs) << 22n) - 1n : 0n)
}

/** The day at which an id was made. */
export const dayOfId = (id: string) => new Date(Number(timeOf(id))).toISOString().slice(0, 10)

export const dayOf = ({ timestamp }: Message) => timestamp.slice(0, 10)

export const compareIds = (a: string, b: string) =>
  a.length - b.length || (a < b ? -1 : Number(a > b))

type Parts = Pick<ChatSettings, 'includeAttachments' | 'includeEmbeds' | 'includePolls'>

/** Messages of a day in the order of their time, as Markdown. */
export function renderMessages(messages: readonly Message[], parts: Parts): string {
  return messages
    .toSorted((a, b) => compareIds(a.id, b.id))
    .map((one) => renderMessage(one, parts))
    .filter((text) => text !== '')
    .join('\n\n')
}

export function renderMessage(one: Message, parts: Parts): string {
  const lines = [
    resolveMentions(one),
    ...(parts.includeAttachments ? one.attachments.map(renderAttachment) : []),
    ...(parts.includeEmbeds ? one.embeds.map(renderEmbed) : []),
    ...(parts.includePolls && one.poll ? [renderPoll(one.poll)] : []),
  ].filter((line) => line.trim() !== '')
  if (lines.length === 0) return ''
  const isEdited = one.edited_timestamp ? ' (edited)' : ''
  return `${nameOf(one.author)} at ${one.timestamp.slice(11, 16)}${isEdited}: ${lines.join('\n')}`
}

export function nameOf(one: z.output<typeof user> | undefined): string {
  return one?.global_name || one?.username || 'unknown'
}

/** `<@123>` becomes the name of the member. */
function resolveMentions({ content, mentions }: Message): string {
  const names = new Map(mentions.map((one) => [one.id, nameOf(one)]))
  return content.replaceAll(/<@!?(\d{1,20})>/g, (mark, id: string) =>
    names.has(id) ? `@${names.get(id)}` : mark,
  )
}

const renderAttachment = ({ filename, description }: Message['attachments'][number]) =>
  `[attachment: ${filename}${description ? `, ${description}` : ''}]`

export const renderEmbed = ({ title, description, url }: Message['embeds'][number]) =>
  [title, description, url].filter(Boolean).join('\n')

export function renderPoll({ question, answers }: NonNullable<Message['poll']>): string {
  const choices = answers.map(({ poll_media: media }) => `- ${media.text ?? ''}`)
  return [`Poll: ${question.text ?? ''}`, ...choices].join('\n')
}
