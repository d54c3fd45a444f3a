import { z } from 'zod'
import { snowflake } from '../messages.ts'

/** A channel of a server, or direct messages in the server `@me`. */
export interface KnownChannel {
  readonly name: string
  readonly guildId: string
}

const channelListUrl =
  /https:\/\/(?:[a-z]+\.)?discord(?:app)?\.com\/api\/v\d+\/(?:(?<one>channels\/\d{1,20})|(?<direct>users\/@me\/channels)|guilds\/(?<guild>\d{1,20})\/channels)(?:\?[^ ]*)?$/

/** Whether a key is the URL of a reply that names channels. */
export const isChannelList = (key: string) => channelListUrl.test(key)

const channel = z.looseObject({
  id: snowflake,
  name: z.string().nullish(),
  guild_id: snowflake.nullish(),
  recipients: z
    .array(z.looseObject({ username: z.string(), global_name: z.string().nullish() }))
    .nullish(),
})

/** The channels of a reply by their ids. Other values are skipped. */
export function readChannelList(
  key: string,
  reply: unknown,
): readonly (readonly [string, KnownChannel])[] {
  const guild = channelListUrl.exec(key)?.groups?.['guild']
  const each = Array.isArray(reply) ? reply.slice(0, 1_000) : [reply]
  return each.flatMap((one) => {
    const { data } = channel.safeParse(one)
    return data ? [[data.id, toKnown(data, guild)] as const] : []
  })
}

function toKnown(one: z.output<typeof channel>, guild: string | undefined): KnownChannel {
  const people = (one.recipients ?? []).map((user) => user.global_name || user.username)
  const name = one.name || people.join(', ') || one.id
  return { name: name.slice(0, 200), guildId: one.guild_id ?? guild ?? '@me' }
}
